#include "core/connection/connection_phase.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>

namespace strandline::core::connection {

namespace {

constexpr std::uint8_t set_of(std::initializer_list<connection_phase> phases) noexcept {
    unsigned set = 0;
    for (const auto phase : phases) set |= 1U << static_cast<unsigned>(phase);
    return static_cast<std::uint8_t>(set);
}

using enum connection_phase;

// What may follow each phase, in the order of the phases.
constexpr std::array<std::uint8_t, 7> followers{
    set_of({queued, closed}),                 // awaiting_address
    set_of({resolving, connecting, closed}),  // queued
    set_of({connecting, closed}),             // resolving
    set_of({handshaking, closed}),            // connecting
    set_of({ready, closed}),                  // handshaking
    set_of({closed}),                         // ready
    set_of({}),                               // closed
};

}  // namespace

bool may_follow(connection_phase from, connection_phase to) noexcept {
    return (followers[static_cast<std::size_t>(from)] >> static_cast<unsigned>(to) & 1U) != 0;
}

std::string_view to_string(connection_phase phase) noexcept {
    switch (phase) {
        case awaiting_address: return "awaiting address";
        case queued: return "queued";
        case resolving: return "resolving";
        case connecting: return "connecting";
        case handshaking: return "handshaking";
        case ready: return "ready";
        case closed: return "closed";
    }
    return "unknown";
}

}  // namespace strandline::core::connection
