// From calls that return their errors to those that throw them.
#pragma once

#include <type_traits>
#include <utility>

#include <strandline/error.hpp>

namespace strandline::client {

template <class Value>
Value value_or_throw(result<Value> outcome) {
    if (!outcome) throw exception(std::move(outcome.error()));
    if constexpr (!std::is_void_v<Value>) return std::move(*outcome);
}

}  // namespace strandline::client
