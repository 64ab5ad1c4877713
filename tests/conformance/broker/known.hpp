// What earlier answers of one cluster gave, under names that the steps chose: topic ids, producer ids, session ids.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "protocol/ids.hpp"

namespace strandline::conformance::broker {

class known {
public:
    // `field` is where it stood; a number is recognised again only in fields of that name, without one nowhere.
    void learn(std::string name, const boost::json::value& value, std::string field);

    // Each throws std::out_of_range when nobody has learned that.
    std::string text(std::string_view name) const;
    std::int64_t number(std::string_view name) const;
    protocol::topic_id id(std::string_view name) const;
    protocol::producer_id producer(std::string_view name) const { return protocol::producer_id(number(name)); }
    std::int32_t int32(std::string_view name) const { return static_cast<std::int32_t>(number(name)); }
    std::int16_t int16(std::string_view name) const { return static_cast<std::int16_t>(number(name)); }

    // The answer with names in place of what was learned, so that answers of two clusters can be compared.
    boost::json::value with_names(const boost::json::value& answer) const { return renamed(answer, {}); }

private:
    struct entry {
        std::string name;
        std::string field;
        boost::json::value value;
    };
    const entry& find(std::string_view name) const;
    boost::json::value renamed(const boost::json::value& value, std::string_view field) const;

    std::vector<entry> entries_;
};

}  // namespace strandline::conformance::broker
