// Plays a story to one broker and keeps its answers.
#pragma once

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "protocol/api_versions.hpp"
#include "tests/conformance/broker/conversation.hpp"
#include "tests/conformance/broker/known.hpp"
#include "tests/conformance/broker/story.hpp"

namespace strandline::conformance::broker {

class player {
public:
    // `own`: what is this cluster's own, by the field in which it stands; compared by that name.
    explicit player(std::uint16_t port, std::initializer_list<std::pair<std::string, boost::json::value>> own = {})
        : port_(port) {
        for (const auto& [field, value] : own) facts_.learn(field, value, field);
    }

    // The answer with names in place of what was learned; "hung up" when there was none but the connection's end.
    // Throws std::runtime_error when nothing comes.
    boost::json::value play(const step& one);

    // What the broker speaks.
    std::vector<protocol::api_version_range> versions();

private:
    boost::json::value ask(const step& one);
    boost::json::value ask_until(const step& one);
    void learn(const step& one, const boost::json::value& answer);
    conversation& on(const std::string& name);

    std::uint16_t port_;
    known facts_;
    std::map<std::string, std::unique_ptr<conversation>> open_;
    std::map<std::string, std::chrono::steady_clock::time_point> sent_;
    std::int32_t last_id_ = 0;
};

// What is wrong with `ours`, field by field; empty if nothing is.
std::string difference(const step& one, const boost::json::value& ours, const boost::json::value& kafkas);

}  // namespace strandline::conformance::broker
