// How much may be asked for: the arithmetic behind memory_limit, and what a partition may have waiting.
#pragma once

#include <algorithm>
#include <cstddef>

namespace strandline::core::fetch {

class fetch_budget {
public:
    // Answers of about this size stay in a core's cache while they are checked and read.
    static constexpr std::size_t answer_size = std::size_t{1024} * 1024;
    // A partition may always have this much waiting, however many others there are.
    static constexpr std::size_t smallest_share = std::size_t{64} * 1024;
    // Answers that may wait for each broker that is fetched from. Deeper adds memory traffic and no speed.
    static constexpr std::size_t answers_ahead = 4;

    explicit fetch_budget(std::size_t limit) noexcept : limit_(limit) {}

    // Sampled at the start of each turn: buffered, pinned by the application, decompressed.
    void set_in_use(std::size_t bytes) noexcept { in_use_ = bytes; }
    // For an answer in flight, until it has come.
    void reserve(std::size_t bytes) noexcept { reserved_ += bytes; }
    void release(std::size_t bytes) noexcept { reserved_ -= std::min(bytes, reserved_); }

    std::size_t free() const noexcept {
        const auto taken = in_use_ + reserved_;
        return taken >= limit_ ? 0 : limit_ - taken;
    }
    // Less than this is not worth a request.
    std::size_t smallest_request() const noexcept { return std::clamp<std::size_t>(limit_ / 8, 1, smallest_share); }
    // One answer never takes more than this part of the limit.
    std::size_t largest_request() const noexcept { return std::max<std::size_t>(limit_ / 8, smallest_request()); }

    // What each of `partitions` with data waiting may have waiting; `ahead` is what all of them may have.
    std::size_t share(std::size_t partitions, std::size_t ahead) const noexcept {
        return std::max(std::min(ahead, limit_ / 2) / std::max<std::size_t>(partitions, 1),
                        std::min(smallest_share, limit_ / 2));
    }

private:
    std::size_t limit_;
    std::size_t in_use_ = 0;
    std::size_t reserved_ = 0;
};

}  // namespace strandline::core::fetch
