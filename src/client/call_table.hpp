// What each call does inside each callback: one table, which tests hold against the headers, the documentation and the
// code.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace strandline::client {

enum class callback_kind { on_assigned, on_revoked, on_lost, commit_callback };
inline constexpr std::array<std::string_view, 4> callback_names{"on_assigned", "on_revoked", "on_lost",
                                                                "commit callback"};

enum class in_callback {
    at_once,         // as anywhere else
    after_callback,  // accepted; the change is made when the callback has returned, and the poll reports its failure
    requested,       // the poll that runs the callback closes the consumer afterwards
    refused,         // invalid_state: the poll that runs the callback is still inside
};
std::string_view words(in_callback what) noexcept;

struct call_rule {
    std::string_view call;                // its name; try_… behaves alike
    std::array<in_callback, 4> in;        // by callback_kind
    bool any_thread = false;              // never asks the gate
};
std::span<const call_rule> call_table() noexcept;

}  // namespace strandline::client
