// What a callback may call the consumer with.
#pragma once

#include <strandline/consumer_calls.hpp>
#include <strandline/export.hpp>

namespace strandline {
namespace client {
class callback_scope;
}

inline namespace v0 {

// A handle, given by value to every callback; it may be handed to another thread. Its calls run one after the other, in
// the order they come. When the callback returns it expires: calls then fail with access_expired, and one that runs is
// awaited first. It cannot be made, only given. (Inside the library `access` is the room where this is decided, hence
// the longer name.)
class STRANDLINE_API consumer_access : public consumer_calls {
private:
    friend class client::callback_scope;
    using consumer_calls::consumer_calls;
};

#ifndef STRANDLINE_INSIDE
using access = consumer_access;
#endif

}  // namespace v0
}  // namespace strandline
