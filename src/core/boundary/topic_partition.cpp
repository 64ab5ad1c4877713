#include <strandline/topic_partition.hpp>

namespace strandline::inline v0 {

std::string to_string(const topic_partition& partition) {
    return partition.topic + "-" + std::to_string(partition.partition);
}

std::string to_string(const partitions& list) {
    std::string text;
    for (const auto& partition : list) {
        if (!text.empty()) text += ", ";
        text += to_string(partition);
    }
    return text;
}

}  // namespace strandline::inline v0
