// The connections view as a value that a versioned<> can hold.
#pragma once

#include "core/exchange/connections_view.hpp"

namespace strandline::core::exchange {

// Never empty once the consumer is wired.
struct connections_handle {
    const connections_view* connections = nullptr;
    const connections_view* operator->() const noexcept { return connections; }
};

}  // namespace strandline::core::exchange
