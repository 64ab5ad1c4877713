// What a client has asked to be fetched, kept between its requests (KIP-227).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "protocol/messages/fetch.hpp"

namespace strandline::bench {

class fetch_session {
public:
    struct wanted {
        std::int32_t partition;
        std::int64_t offset;
        std::int32_t max_bytes;
    };

    explicit fetch_session(std::int32_t id) : id_(id) {}

    std::int32_t id() const noexcept { return id_; }
    std::int32_t epoch() const noexcept { return epoch_; }
    void begin(std::int32_t epoch) { epoch_ = epoch; }

    // Adds, moves and forgets what the request says.
    void update(const protocol::messages::fetch_request& request);
    std::size_t size() const noexcept { return partitions_.size(); }
    // In turn: the partition that was last in the answer before is the last in this one.
    const wanted& at(std::size_t index) const noexcept { return partitions_[(first_ + index) % partitions_.size()]; }
    void rotate(std::size_t served) noexcept {
        if (!partitions_.empty()) first_ = (first_ + served) % partitions_.size();
    }

private:
    void forget(std::int32_t partition);

    std::int32_t id_;
    std::int32_t epoch_ = 0;
    std::vector<wanted> partitions_;
    std::unordered_map<std::int32_t, std::size_t> places_;
    std::size_t first_ = 0;
};

}  // namespace strandline::bench
