// A record as the formats see it: views, valid while the record is.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <strandline/record.hpp>

namespace strandline::apps::output {

struct printable_record {
    std::string_view topic;
    std::int32_t partition = 0;
    std::int64_t offset = 0;
    std::int64_t timestamp_ms = -1;
    strandline::timestamp_type timestamp_type = strandline::timestamp_type::none;
    std::optional<std::int32_t> leader_epoch = {};
    std::optional<std::string_view> key = {};
    std::optional<std::string_view> value = {};
    header_range headers = {};
};

inline printable_record printable(const record& from) {
    return {from.topic(),          from.partition(),    from.offset(),   from.timestamp().time_since_epoch().count(),
            from.timestamp_type(), from.leader_epoch(), from.key_text(), from.value_text(),
            from.headers()};
}

}  // namespace strandline::apps::output
