// R12. What a consumer holds stays within its bound, also under an application that takes nothing: the limit, one batch
// that is larger than asked for and one slice for each broker, and what one poll decompresses. And no Fetch asks for
// more than the limit has left.
#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// Frames are read into slices of about this size, which are pinned as a whole.
constexpr std::size_t slice = std::size_t{1024} * 1024;

class bounded_memory final : public checker {
public:
    bounded_memory() noexcept
        : checker("R12", "memory stays within its bound",
                  happenings_of<observed::turn_begun, observed::request_sent, observed::fetch_delivered,
                                observed::crashed, observed::consumer_gone>()) {}

    void on(const observation& seen, const truth& known) override {
        auto& state = consumers_[seen.consumer];
        if (const auto* begun = std::get_if<observed::turn_begun>(&seen.what)) {
            on_turn(seen, state, begun->bytes_in_use, known);
        } else if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            on_request(seen, state, *sent, known);
        } else if (const auto* data = std::get_if<observed::fetch_delivered>(&seen.what)) {
            state.largest = std::max(state.largest, data->bytes);
        } else {
            consumers_.forget(seen.consumer);
        }
    }

private:
    struct memory {
        std::size_t in_use = 0;
        std::size_t largest = slice;
        std::set<protocol::broker_id> fetched_from;
        bool told = false;
    };

    void on_turn(const observation& seen, memory& state, std::size_t bytes, const truth& known) {
        state.in_use = bytes;
        const auto* settings = known.settings(seen.consumer);
        if (!settings || state.told) return;
        const auto bound = settings->memory_limit + (state.fetched_from.size() + 1) * (state.largest + slice);
        if (bytes <= bound) return;
        state.told = true;
        complain(seen.at, seen.consumer, {},
                 fmt::format("{} bytes are in use; the limit is {}, and with what may come on top {}", bytes,
                             settings->memory_limit, bound));
    }

    void on_request(const observation& seen, memory& state, const observed::request_sent& sent, const truth& known) {
        const auto* fetch = std::get_if<observed::fetch_content>(&sent.content);
        const auto* settings = known.settings(seen.consumer);
        if (!fetch || !settings) return;
        state.fetched_from.insert(sent.broker);
        if (fetch->session_epoch < 0 && fetch->added.empty()) return;  // ends a session
        const auto left = settings->memory_limit > state.in_use ? settings->memory_limit - state.in_use : 0;
        if (fetch->max_bytes >= 0 && static_cast<std::size_t>(fetch->max_bytes) <= left) return;
        complain(seen.at, seen.consumer, {},
                 fmt::format("a Fetch asks for {} bytes; {} of {} are left", fetch->max_bytes, left,
                             settings->memory_limit));
    }

    by_consumer<memory> consumers_;
};

}  // namespace

std::unique_ptr<checker> memory_is_bounded() { return std::make_unique<bounded_memory>(); }

}  // namespace strandline::testkit::sim::checkers
