// R10, and with it R19, R20, R22: when nothing is wrong with the world any more, whoever polls gets what there is to
// read, within a stated bound: the longest of the time-outs that may still be running, one after the other.
#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/by_consumer.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

// A member whose process died holds its partitions until its session ends.
constexpr base::duration session_timeout = std::chrono::seconds(45);

// Logs are looked at as they were at steps of this length.
constexpr base::duration step = std::chrono::seconds(1);

class progress_after_healing final : public checker {
public:
    progress_after_healing() noexcept
        : checker(
              "R10", "after the last fault heals, whoever polls gets what there is to read, within a bound",
              happenings_of<observed::turn_decided, observed::call_begun, observed::call_ended, observed::poll_returned,
                            observed::appended, observed::transaction_ended, observed::all_healed, observed::crashed,
                            observed::consumer_gone, observed::callback_begun>()) {}

    static base::duration bound(const core::boundary::core_config* settings) {
        if (!settings) return session_timeout;
        return std::max(session_timeout, settings->max_poll_interval < std::chrono::minutes(2)
                                             ? settings->max_poll_interval
                                             : base::duration::zero()) +
               settings->request_timeout + settings->connection_setup_timeout.maximum + settings->reconnect.maximum +
               4 * settings->retry.maximum + settings->fetch_max_wait + std::chrono::seconds(5);
    }

    void on(const observation& seen, const truth& known) override {
        if (const auto* more = std::get_if<observed::appended>(&seen.what)) {
            on_growth(seen.at, more->log, known);
        } else if (const auto* over = std::get_if<observed::transaction_ended>(&seen.what)) {
            on_growth(seen.at, over->log, known);
        } else if (const auto* decided = std::get_if<observed::turn_decided>(&seen.what)) {
            if (decided->assignment) take(seen, consumers_[seen.consumer], decided->assignment);
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            on_call(seen, *called, known);
        } else if (const auto* ended = std::get_if<observed::call_ended>(&seen.what)) {
            if (ended->what != observed::call_kind::poll) return;
            look(seen.at, seen.consumer, known);
        } else if (std::holds_alternative<observed::poll_returned>(seen.what) ||
                   std::holds_alternative<observed::callback_begun>(seen.what)) {
            consumers_[seen.consumer].hungry_since.reset();
        } else if (seen.consumer != nobody) {
            consumers_.forget(seen.consumer);
        }
    }

    void at_end(base::instant now, const truth& known) override {
        for (const auto& [who, state] : consumers_) {
            if (state.in_poll) look(now, who, known);
        }
    }

private:
    struct memory {
        std::shared_ptr<const std::vector<observed::turn_decided::place>> assignment;
        std::optional<base::instant> hungry_since;  // it has polled since then, and nothing came
        bool in_poll = false;
        std::map<log_id, base::instant> readable_since;
    };

    static void take(const observation& seen, memory& state,
                     const std::shared_ptr<const std::vector<observed::turn_decided::place>>& assignment) {
        state.assignment = assignment;
        std::map<log_id, base::instant> since;
        for (const auto& place : *assignment) {
            if (place.paused || place.fenced || place.failed) continue;
            const auto before = state.readable_since.find(place.log);
            since.emplace(place.log, before == state.readable_since.end() ? seen.at : before->second);
        }
        state.readable_since = std::move(since);
    }

    void on_call(const observation& seen, const observed::call_begun& called, const truth&) {
        auto& state = consumers_[seen.consumer];
        state.in_poll = called.what == observed::call_kind::poll;
        if (!state.in_poll) {
            state.hungry_since.reset();  // it does something else: a seek, a pause, a close
        } else if (!state.hungry_since) {
            state.hungry_since = seen.at;
        }
    }

    void look(base::instant now, consumer_id who, const truth& known) {
        auto& state = consumers_[who];
        if (!known.is_calm() || !state.hungry_since || !state.assignment) return;
        const auto* settings = known.settings(who);
        const auto since = std::max(*state.hungry_since, std::max(known.calm_since(), known.last_trouble()));
        const auto limit = bound(settings);
        if (now - since < limit) return;
        for (const auto& place : *state.assignment) {
            const auto readable = state.readable_since.find(place.log);
            if (readable == state.readable_since.end() || now - readable->second < limit) continue;
            const auto* partition = known.find(place.log);
            if (!partition || partition->deleted) continue;
            const auto there = had_at(place.log, now - limit, known.reads_committed_only(who));
            const auto from = place.position.value_or(partition->log.start());
            const auto waiting = partition->log.first_visible(from, there, known.reads_committed_only(who));
            if (!waiting) continue;
            complain(now, who, {place.log, waiting},
                     fmt::format("it has been there to read for {} s, the application polls, and nothing comes",
                                 std::chrono::duration_cast<std::chrono::seconds>(now - since).count()));
            state.hungry_since = now;
            return;
        }
    }

    // When each log had how much, in steps.
    struct growth {
        base::instant at;
        std::int64_t end = 0;
        std::int64_t last_stable = 0;
    };
    void on_growth(base::instant at, log_id log, const truth& known) {
        const auto* partition = known.find(log);
        if (!partition) return;
        const growth now{at, partition->log.end(), partition->log.last_stable()};
        auto& grown = grown_[log];
        if (grown.empty() || grown.back().at + step < at) {
            grown.push_back(now);
        } else {
            grown.back().end = now.end;
            grown.back().last_stable = now.last_stable;
        }
    }

    // How far the log had come then.
    std::int64_t had_at(log_id log, base::instant then, bool committed_only) const {
        const auto grown = grown_.find(log);
        if (grown == grown_.end()) return 0;
        const auto& all = grown->second;
        const auto after =
            std::partition_point(all.begin(), all.end(), [&](const growth& one) { return one.at + step <= then; });
        if (after == all.begin()) return 0;
        return committed_only ? std::prev(after)->last_stable : std::prev(after)->end;
    }

    by_consumer<memory> consumers_;
    std::map<log_id, std::vector<growth>> grown_;
};

}  // namespace

std::unique_ptr<checker> progress_follows_healing() { return std::make_unique<progress_after_healing>(); }

}  // namespace strandline::testkit::sim::checkers
