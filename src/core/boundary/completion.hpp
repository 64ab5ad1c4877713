// The one terminal result of an operation.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <strandline/error.hpp>
#include <strandline/offsets.hpp>

#include "base/kept_apart.hpp"
#include "core/boundary/identity.hpp"

namespace strandline::core::boundary {

struct done {};
struct position_value {
    std::int64_t offset = 0;
    std::optional<std::int32_t> leader_epoch;
};
// Of a lookup per partition: the offset found; none when no record is as young as the timestamp asked for.
struct list_offsets_value {
    std::map<topic_partition, std::optional<offset_and_timestamp>> found;
};
struct topics_value {
    std::map<std::string, std::vector<partition_info>> topics;
};
// What close could not finish; empty when all was done.
struct close_value {
    offsets uncommitted;              // processed, not committed
    std::vector<std::string> undone;  // in words: "leave of group billing: coordinator unreachable"
};

using operation_value_kinds =
    std::variant<done, offsets, position_value, list_offsets_value, topics_value, close_value>;

// One of them.
class operation_value : public base::kept_apart<operation_value_kinds> {
public:
    using kept_apart::kept_apart;
};

struct completion {
    operation_token token;
    result<operation_value> outcome;
};

}  // namespace strandline::core::boundary

extern template class strandline::base::kept_apart<strandline::core::boundary::operation_value_kinds>;
