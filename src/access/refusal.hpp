// What somebody is told who is not let in: both sides by name.
#pragma once

#include <strandline/error.hpp>

#include "access/frame.hpp"
#include "base/instant.hpp"

namespace strandline::access {

// concurrent_modification.
error refused(const occupant& who, const occupant& inside, base::instant now);
// access_expired.
error expired(const occupant& who);
// timed_out behind a sibling.
error queued_too_long(const occupant& who, const occupant& inside, base::instant now);

}  // namespace strandline::access
