// What every call that commits named offsets checks before it submits anything.
#pragma once

#include <optional>
#include <string_view>

#include <strandline/error.hpp>
#include <strandline/offsets.hpp>

namespace strandline::client {

// Why `call` cannot commit these, whatever state the consumer is in; nothing: it can.
std::optional<error> refusal_of(std::string_view call, const offsets& named);

}  // namespace strandline::client
