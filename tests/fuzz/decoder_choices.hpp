// What the first two bytes of an input of decode_fuzz mean; for the target and for who writes its first corpus.
#pragma once

#include <cstdint>

#include "protocol/messages/all.hpp"

namespace strandline::fuzz {

constexpr std::uint8_t headers_choice = 0;  // of the first byte; messages follow

// Visits each message with its choice: visit.template operator()<Message>(choice).
template <class Visit>
void for_each_message(Visit visit) {
    std::uint8_t choice = headers_choice;
    protocol::messages::all_requests::for_each([&](auto request) {
        using type = typename decltype(request)::type;
        visit.template operator()<type>(++choice);
        visit.template operator()<typename type::response>(++choice);
    });
}

// The second byte picks the version.
template <class Message>
constexpr std::int16_t version_of(std::uint8_t choice) {
    return static_cast<std::int16_t>(Message::min_version + choice % (Message::max_version - Message::min_version + 1));
}

template <class Message>
constexpr std::uint8_t choice_of_version(std::int16_t version) {
    return static_cast<std::uint8_t>(version - Message::min_version);
}

}  // namespace strandline::fuzz
