// Records as a test writes them, as the batch that goes into a log.
#pragma once

#include <vector>

#include <strandline/testkit/fake_cluster.hpp>

#include "base/bytes.hpp"
#include "base/instant.hpp"

namespace strandline::testkit::fake {

// `now`: of records that do not say when they are from.
base::shared_bytes batch_of(const std::vector<fake_record>& records, base::wall_time now);

}  // namespace strandline::testkit::fake
