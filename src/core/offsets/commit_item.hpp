// One offset to commit, as captured when it was asked for.
#pragma once

#include <optional>
#include <vector>

#include <strandline/offsets.hpp>

#include "core/boundary/identity.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::offsets {

struct commit_item {
    topic_partition partition;
    protocol::topic_id topic_id{};         // of the topic it was processed of; zero if nobody knows
    std::optional<boundary::slot_id> slot;  // of an assigned partition
    offset_and_metadata offset;

    friend bool operator==(const commit_item&, const commit_item&) = default;
};

using commit_items = std::vector<commit_item>;

}  // namespace strandline::core::offsets
