// Message types as one value, to do the same for each.
#pragma once

#include <cstddef>

namespace strandline::protocol {

// One message type as a value.
template <class Message>
struct message_type {
    using type = Message;
};

template <class... Messages>
struct message_list {
    static constexpr std::size_t size = sizeof...(Messages);

    // Calls visit(message_type<Message>{}) for each in turn.
    static constexpr void for_each(auto&& visit) { (visit(message_type<Messages>{}), ...); }
};

}  // namespace strandline::protocol
