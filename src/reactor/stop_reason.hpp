// Why a reactor turns no more, as every call hears that would have waited for it.
#pragma once

#include <exception>

#include <strandline/error.hpp>

namespace strandline::reactor {

// It was closed, or went away with its host.
error closed_reason();
// This escaped from a turn, or from what the network brought. Fatal: not_enough_memory if an allocation failed,
// otherwise internal_failure.
error failure_reason(const std::exception& what);

}  // namespace strandline::reactor
