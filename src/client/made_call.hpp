// A call that is to be awaited, whichever way its façade tells how it ended.
#pragma once

#include <memory>
#include <utility>

#include <strandline/awaitable.hpp>

#include "client/awaited_call.hpp"

namespace strandline::client {

template <class Value>
struct made_call {
    std::shared_ptr<awaited_value<Value>> call;

    operator awaitable<Value>() && { return awaitable<Value>(std::move(call)); }
    operator awaitable_result<Value>() && { return awaitable_result<Value>(std::move(call)); }
};

template <class Call, class... Arguments>
made_call<typename Call::value_type> make(const std::shared_ptr<coroutine_home>& home, Arguments&&... arguments) {
    return {std::make_shared<awaited<Call>>(home, std::forward<Arguments>(arguments)...)};
}

}  // namespace strandline::client
