// Which log a partition of a topic is. There are few topics, and the newest are asked for most.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "testkit/simulator/checkers/observation.hpp"

namespace strandline::testkit::sim {

template <class Topic>
class log_numbers {
public:
    // In the place of one that was known before.
    void set(const Topic& topic, std::int32_t partition, log_id log) {
        auto* known = find(topic);
        if (!known) known = &topics_.emplace_back(Topic(topic), std::vector<log_id>()).second;
        const auto index = static_cast<std::size_t>(partition);
        if (known->size() <= index) known->resize(index + 1, no_log);
        (*known)[index] = log;
    }
    template <class Name>
    log_id find(const Name& topic, std::int32_t partition) const noexcept {
        for (auto at = topics_.rbegin(); at != topics_.rend(); ++at) {
            if (at->first != topic) continue;
            const auto index = static_cast<std::size_t>(partition);
            return index < at->second.size() ? at->second[index] : no_log;
        }
        return no_log;
    }

private:
    std::vector<log_id>* find(const Topic& topic) noexcept {
        for (auto& [known, logs] : topics_) {
            if (known == topic) return &logs;
        }
        return nullptr;
    }

    std::vector<std::pair<Topic, std::vector<log_id>>> topics_;
};

}  // namespace strandline::testkit::sim
