// Records that a newcomer can read.
#pragma once

#include <cstdint>

#include <strandline/testkit/fake_cluster.hpp>

namespace strandline::apps::fake {

// The `number`th order of a small shop, always the same one. Its key says where it belongs.
testkit::fake_record demo_record(std::uint64_t number);
std::int32_t demo_partition(std::uint64_t number, std::int32_t partitions);

}  // namespace strandline::apps::fake
