#include "handoff/handoff.hpp"

#include "handoff/handoff_body.hpp"

namespace strandline::handoff {

template class basic_handoff<primitives>;

}  // namespace strandline::handoff
