// The conformance list: every story, by what it is about.
#pragma once

#include <vector>

#include "tests/conformance/broker/story.hpp"

namespace strandline::conformance::broker {

std::vector<story> cluster_stories();
std::vector<story> topic_stories();
std::vector<story> config_stories();
std::vector<story> log_stories();
std::vector<story> fetch_stories();
std::vector<story> group_stories();
std::vector<story> offset_stories();
std::vector<story> transaction_stories();

inline std::vector<story> all_stories() {
    std::vector<story> all;
    for (auto* some : {&cluster_stories, &topic_stories, &config_stories, &log_stories, &fetch_stories, &group_stories,
                       &offset_stories, &transaction_stories}) {
        for (auto& one : some()) all.push_back(std::move(one));
    }
    return all;
}

}  // namespace strandline::conformance::broker
