#include "client/explain.hpp"

#include <chrono>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include "core/boundary/snapshot.hpp"
#include "core/boundary/wait_words.hpp"

namespace strandline::client {

namespace boundary = core::boundary;

namespace {

std::chrono::milliseconds age(base::instant now, base::instant since) {
    if (since == base::instant()) return {};
    return std::chrono::duration_cast<std::chrono::milliseconds>(now - since);
}

void add_partitions(const boundary::snapshot& published, explanation& made) {
    std::size_t assigned = 0;
    std::size_t paused = 0;
    std::size_t without_position = 0;
    for (const auto& page : published.pages) {
        for (const auto& partition : page->partitions) {
            ++assigned;
            if (partition.paused) ++paused;
            if (partition.failure) {
                made.remarks.push_back(fmt::format("{} stands until it is sought: {}",
                                                   to_string(partition.partition->name), partition.failure->message()));
            } else if (!partition.fetch_position) {
                ++without_position;
            }
        }
    }
    if (paused > 0) made.remarks.push_back(fmt::format("{} of {} assigned partitions are paused", paused, assigned));
    if (without_position > 0) {
        made.remarks.push_back(
            fmt::format("{} of {} assigned partitions have no position yet", without_position, assigned));
    }
}

void add_trouble(const boundary::snapshot& published, explanation& made) {
    made.unknown_topics = published.subscription->unmatched_topics;
    for (const auto& topic : made.unknown_topics) {
        made.remarks.push_back(fmt::format("topic {} is subscribed but unknown to the cluster", topic));
    }
    made.contacted = published.network->contacted;
    made.network_trouble = published.network->trouble;
    for (const auto& trouble : made.network_trouble) made.remarks.push_back(trouble.message());
    if (published.fatal) {
        made.remarks.push_back("will not recover: " + published.fatal->message());
    } else if (published.last_error) {
        made.remarks.push_back("last error: " + published.last_error->message());
    }
}

}  // namespace

explanation explain(const consumer_state& state) {
    const auto published = state.meeting.snapshot();
    explanation made;
    for (const auto manager : boundary::managers_from_poll_down()) {
        if (manager >= published->waits.size()) continue;
        const auto& wait = published->waits[manager];
        if (!boundary::is_waiting_for_something(wait)) continue;
        made.chain.push_back({std::string(boundary::manager_name(manager)), boundary::wait_words(wait),
                              age(state.time.now(), wait.since)});
    }
    add_partitions(*published, made);
    add_trouble(*published, made);

    if (state.closed) {
        made.summary = "the consumer has been closed";
    } else if (const auto queued = state.meeting.bytes_queued(); queued > 0) {
        made.summary = fmt::format("{} bytes wait to be polled", queued);
    } else if (made.chain.empty()) {
        made.summary = "nothing has been asked of the consumer yet: subscribe or assign, then poll";
    } else {
        made.summary = fmt::format("{} {}", made.chain.front().who, made.chain.front().waits_for);
    }
    return made;
}

}  // namespace strandline::client

namespace strandline::inline v0 {

std::string to_string(const explanation& why) {
    std::string text = why.summary + "\n";
    for (const auto& step : why.chain) {
        text += fmt::format("  {} {} (for {:.1f} s)\n", step.who, step.waits_for,
                            std::chrono::duration<double>(step.since).count());
    }
    for (const auto& remark : why.remarks) text += "  - " + remark + "\n";
    return text;
}

std::ostream& operator<<(std::ostream& out, const explanation& why) { return out << to_string(why); }

}  // namespace strandline::inline v0
