// How core, handoff and application name things to each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <strandline/topic_partition.hpp>

#include "base/strong.hpp"
#include "protocol/ids.hpp"

namespace strandline::core::boundary {

// One client operation, from its submission to its one terminal result.
using operation_token = base::strong<struct operation_token_tag, std::uint64_t>;
// One wanted callback; acknowledged exactly once.
using callback_id = base::strong<struct callback_id_tag, std::uint64_t>;
// Index of a partition in the delivery table; reused only after every reference is gone.
using slot_id = base::strong<struct slot_id_tag, std::uint32_t>;
// Counts what makes earlier data of a partition void: assign, seek, reset, truncation. Only the reactor numbers them;
// never 0.
using incarnation = base::strong<struct incarnation_tag, std::uint64_t>;

inline constexpr operation_token no_operation{0};

// A partition of one particular topic: a topic that is made again under the same name has another id.
struct partition_identity {
    topic_partition name;
    protocol::topic_id topic_id{};  // zero while unknown, or with brokers that have none
};
// Whoever names the same partition shares it: there may be very many.
using partition_ref = std::shared_ptr<const partition_identity>;

// Makes them by the dozen: those of one dozen are kept as long as one of them is.
class partition_ref_maker {
public:
    partition_ref make(topic_partition name, protocol::topic_id id) {
        if (!dozen_ || dozen_->size() == size) {
            dozen_ = std::make_shared<std::vector<partition_identity>>();
            dozen_->reserve(size);  // they stay where they are
        }
        dozen_->push_back({std::move(name), id});
        return {dozen_, &dozen_->back()};
    }

private:
    static constexpr std::size_t size = 12;
    std::shared_ptr<std::vector<partition_identity>> dozen_;
};

inline partition_ref make_partition_ref(topic_partition name, protocol::topic_id id = {}) {
    return std::make_shared<const partition_identity>(partition_identity{std::move(name), id});
}

}  // namespace strandline::core::boundary
