// R4. What the coordinator holds as committed never goes backwards, unless a member of the group rewound, named the
// offset itself, or the log was cut. A commit that its sender has given up on may still be on its way, and come after
// newer ones: the protocol has nothing to prevent it.
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim::checkers {

namespace {

class committed_goes_forward final : public checker {
public:
    committed_goes_forward() noexcept
        : checker("R4", "committed offsets never go back unless the application rewinds",
                  happenings_of<observed::offset_stored, observed::offsets_expired, observed::call_begun,
                                observed::truncated, observed::request_sent, observed::request_ended, observed::crashed,
                                observed::consumer_gone>()) {}

    void on(const observation& seen, const truth&) override {
        if (const auto* stored = std::get_if<observed::offset_stored>(&seen.what)) {
            on_stored(seen, *stored);
        } else if (const auto* expired = std::get_if<observed::offsets_expired>(&seen.what)) {
            std::erase_if(committed_, [&](const auto& known) { return known.first.first == expired->group; });
        } else if (const auto* called = std::get_if<observed::call_begun>(&seen.what)) {
            on_call(*called);
        } else if (const auto* cut = std::get_if<observed::truncated>(&seen.what)) {
            may_go_back_.insert(cut->log);
        } else if (const auto* sent = std::get_if<observed::request_sent>(&seen.what)) {
            if (const auto* commit = std::get_if<observed::commit_content>(&sent->content)) {
                in_flight_[seen.consumer].emplace(sent->id, commit->offsets);
            }
        } else if (const auto* ended = std::get_if<observed::request_ended>(&seen.what)) {
            auto commit = in_flight_[seen.consumer].extract(ended->id);
            if (commit.empty() || ended->what == observed::request_ended::how::answered) return;
            given_up_.insert(commit.mapped().begin(), commit.mapped().end());
        } else {
            for (const auto& [id, offsets] : in_flight_[seen.consumer])
                given_up_.insert(offsets.begin(), offsets.end());
            in_flight_.erase(seen.consumer);
        }
    }

private:
    void on_call(const observed::call_begun& called) {
        using enum observed::call_kind;
        if (called.what == seek || called.what == seek_to || called.commits_named) {
            for (const auto log : called.which) may_go_back_.insert(log);
            for (const auto& [log, offset] : called.offsets) may_go_back_.insert(log);
        }
    }

    void on_stored(const observation& seen, const observed::offset_stored& stored) {
        const auto [at, is_new] = committed_.try_emplace({stored.group, stored.log}, stored.offset);
        const auto before = std::exchange(at->second, stored.offset);
        if (is_new || stored.offset >= before || may_go_back_.contains(stored.log)) return;
        if (given_up_.contains({stored.log, stored.offset})) return;
        complain(seen.at, seen.consumer, {stored.log, stored.offset},
                 fmt::format("group {} had committed {} and now holds {}: nobody rewound", stored.group, before,
                             stored.offset));
    }

    std::map<std::pair<std::string, log_id>, std::int64_t> committed_;
    std::set<log_id> may_go_back_;
    using committed_places = std::vector<std::pair<log_id, std::int64_t>>;
    std::map<consumer_id, std::map<core::exchange::request_id, committed_places>> in_flight_;
    std::set<std::pair<log_id, std::int64_t>> given_up_;  // without an answer
};

}  // namespace

std::unique_ptr<checker> committed_offsets_go_forward() { return std::make_unique<committed_goes_forward>(); }

}  // namespace strandline::testkit::sim::checkers
