#include "testkit/simulator/plan_program.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "testkit/simulator/plan_listener.hpp"
#include "testkit/simulator/reading.hpp"
#include "testkit/simulator/told_calls.hpp"

namespace strandline::testkit::sim {

namespace {

using observed::call_kind;

std::chrono::milliseconds in_ms(base::duration time) { return std::chrono::floor<std::chrono::milliseconds>(time); }

// Every partition of the plan's topics that falls to this one of the consumers.
partitions share_of(const fault_plan& plan, std::int32_t number) {
    partitions mine;
    std::int32_t index = 0;
    for (const auto& topic : plan.topics) {
        for (std::int32_t i = 0; i < topic.partitions; ++i) {
            if (index++ % static_cast<std::int32_t>(plan.consumers.size()) == number - 1)
                mine.push_back({topic.name, i});
        }
    }
    // More consumers than partitions: some read the same.
    if (mine.empty()) mine.push_back({plan.topics.front().name, 0});
    return mine;
}

// A braced list inside co_await is more than g++ 12 can take.
partitions only(const topic_partition& one) { return partitions(1, one); }

std::vector<std::string> topics_of(const fault_plan& plan) {
    std::vector<std::string> names;
    for (const auto& topic : plan.topics) names.push_back(topic.name);
    return names;
}

// One run of the program: until it closes its consumer, or is destroyed.
class plan_run {
public:
    plan_run(application& self, const fault_plan& plan, std::int32_t number)
        : self_(self),
          number_(number),
          mine_(plan.consumers.at(static_cast<std::size_t>(number - 1))),
          topics_(topics_of(plan)),
          share_(share_of(plan, number)),
          listener_(std::make_shared<plan_listener>(self, mine_.asks_in_between)) {}

    task<> run() {
        co_await begin();
        while (!over_) {
            co_await follow_mood();
            if (over_) break;
            co_await poll_once();
            if (self_.now() < self_.mood().slow_until) co_await self_.sleep(self_.mood().delay_between_polls);
        }
        co_await close();
    }

private:
    coroutine_consumer& consumer() { return self_.consumer(); }

    static constexpr int questions_in_between = 4;
    static std::chrono::milliseconds patience() { return std::chrono::seconds(10); }

    task<> begin() {
        if (!mine_.in_group) {
            static_cast<void>(co_await told(self_, about(call_kind::assign, share_), consumer().try_assign(share_)));
        } else if (mine_.by_pattern) {
            co_await subscribe_by_pattern();
        } else if (mine_.has_listener) {
            static_cast<void>(co_await told(self_, about(call_kind::subscribe, first_partitions()),
                                            consumer().try_subscribe(topics_, listener_)));
        } else {
            static_cast<void>(co_await told(self_, about(call_kind::subscribe, first_partitions()),
                                            consumer().try_subscribe(topics_)));
        }
    }

    // One of each topic stands for it.
    partitions first_partitions() const {
        partitions all;
        for (const auto& topic : topics_) all.push_back({topic, 0});
        return all;
    }
    // Every other one has the broker match it, the rest do it themselves.
    task<> subscribe_by_pattern() {
        const std::string every("(orders|payments).*");
        auto call = number_ % 2 == 0 ? consumer().try_subscribe(topic_pattern(every), listener())
                                     : consumer().try_subscribe(subscription_pattern(every), listener());
        static_cast<void>(co_await told(self_, about(call_kind::subscribe, first_partitions()), std::move(call)));
    }
    coroutine_listener_handle listener() const {
        return mine_.has_listener ? coroutine_listener_handle(listener_) : coroutine_listener_handle();
    }

    task<> close() {
        let_go();
        static_cast<void>(
            co_await told(self_, about(call_kind::close, {}, patience()), consumer().try_close(patience())));
    }

    task<> follow_mood() {
        auto& mood = self_.mood();
        if (mood.close_for) {
            over_ = true;
            co_return;
        }
        if (const auto pause = std::exchange(mood.resubscribe_after, std::nullopt)) {
            let_go();
            static_cast<void>(co_await told(self_, about(call_kind::unsubscribe, {}, patience()),
                                            consumer().try_unsubscribe(patience())));
            if (mine_.asks_in_between) {
                for (int i = 0; i < questions_in_between; ++i) co_await ask();
            }
            co_await self_.sleep(*pause);
            co_await begin();
        }
        if (const auto back = std::exchange(mood.seek_back, std::nullopt)) co_await seek(*back);
        const bool wants_pause = self_.now() < mood.paused_until;
        if (wants_pause != paused_) {
            paused_ = wants_pause;
            auto all = consumer().assignment();
            if (paused_) {
                co_await pause(std::move(all));
            } else {
                co_await resume(std::move(all));
            }
        }
    }

    task<> pause(partitions which) {
        auto begun = about(call_kind::pause, which);
        static_cast<void>(co_await told(self_, std::move(begun), consumer().try_pause(std::move(which))));
    }
    task<> resume(partitions which) {
        auto begun = about(call_kind::resume, which);
        static_cast<void>(co_await told(self_, std::move(begun), consumer().try_resume(std::move(which))));
    }
    task<> seek_to(topic_partition which, bool beginning) {
        auto begun = about(call_kind::seek_to, only(which));
        auto call = beginning ? consumer().try_seek_to_beginning(only(which)) : consumer().try_seek_to_end(only(which));
        static_cast<void>(co_await told(self_, std::move(begun), std::move(call)));
    }
    task<result<std::int64_t>> position(topic_partition which) {
        auto begun = about(call_kind::position, only(which), patience());
        co_return co_await told(self_, std::move(begun), consumer().try_position(which, patience()));
    }

    task<> seek_to_committed(partitions which) {
        auto asked = about(call_kind::committed, which, patience());
        const auto known =
            co_await told(self_, std::move(asked), consumer().try_committed(std::move(which), patience()));
        if (!known) co_return;
        for (const auto& one : *known) {
            auto begun = about(call_kind::seek, only(one.first));
            begun.offsets.emplace_back(self_.calls().logs().log_of(one.first), one.second.offset);
            static_cast<void>(co_await told(self_, std::move(begun), consumer().try_seek(one.first, one.second)));
        }
    }

    task<> seek(std::int64_t back) {
        const auto mine = consumer().assignment();
        if (mine_.seeks_to_committed && back >= 0) {
            co_await seek_to_committed(mine);
            co_return;
        }
        for (const auto& partition : mine) {
            if (back < 0) {
                co_await seek_to(partition, true);
                continue;
            }
            const auto at = co_await position(partition);
            if (!at) continue;
            const auto to = std::max<std::int64_t>(*at - back, 0);
            auto begun = about(call_kind::seek, only(partition));
            begun.offsets.emplace_back(self_.calls().logs().log_of(partition), to);
            static_cast<void>(co_await told(self_, std::move(begun), consumer().try_seek(partition, to)));
        }
    }

    task<> poll_once() {
        for (const auto& one : std::exchange(released_, {})) tell_released(self_, one);
        auto polled =
            co_await told(self_, about(call_kind::poll, {}, mine_.poll), consumer().try_poll(in_ms(mine_.poll)));
        if (!polled) {
            // For good: this consumer is over, its application makes another.
            if (polled.error().fatal() || polled.error() == errc::consumer_closed) {
                over_ = true;
                if (!self_.mood().close_for) self_.mood().close_for = std::chrono::seconds(5);
            }
            if (polled.error() == errc::memory_limit_held) let_go_of_oldest();
            // As an application that logs it and goes on.
            if (polled.error() != errc::woken_up) co_await self_.sleep(std::chrono::milliseconds(50));
            co_return;
        }
        co_await take(std::move(*polled));
    }

    task<> take(polled_records polled) {
        if (polled.empty()) {
            // Stretches in which there is nothing to see are behind it all the same.
            reading_pass(self_).finished();
            let_go_of_oldest();
            if (mine_.how == behaviour::wanders) co_await wander();
            if (mine_.how == behaviour::asks) co_await ask();
            if (mine_.work > base::duration::zero()) co_await self_.sleep(mine_.work);
            co_return;
        }
        const auto pieces = self_.calls().pieces();
        switch (mine_.how) {
            case behaviour::automatic: read_all(self_, polled); break;
            case behaviour::commits:
                if (read_all(self_, polled) > 0 && may_commit(mine_)) co_await commit();
                break;
            case behaviour::commits_async:
                if (read_all(self_, polled) > 0 && may_commit(mine_)) {
                    static_cast<void>(
                        co_await told(self_, about(call_kind::commit_async), consumer().try_commit_async()));
                }
                break;
            case behaviour::commits_each: co_await commit_each(polled); break;
            case behaviour::breaks:
                break_off(polled);
                if (self_.choice().chance(30)) kept_.push_back({std::move(polled), pieces});
                break;
            case behaviour::by_partition: co_await read_by_partition(std::move(polled)); break;
            case behaviour::wanders:
                read_all(self_, polled);
                co_await wander();
                break;
            case behaviour::asks:
                read_all(self_, polled);
                co_await ask();
                break;
        }
        if (kept_.empty() || kept_.back().pieces != pieces) released_.push_back(pieces);
        if (kept_.size() > 3) let_go_of_oldest();
        if (mine_.work > base::duration::zero()) co_await self_.sleep(mine_.work);
    }

    task<> commit() {
        static_cast<void>(
            co_await told(self_, about(call_kind::commit, {}, patience()), consumer().try_commit(patience())));
    }

    task<> commit_each(polled_records& polled) {
        reading_pass pass(self_);
        for (const auto& one : polled) {
            pass.saw(one);
            if (!may_commit(mine_) || !self_.choice().chance(10)) continue;
            pass.handled(one);
            static_cast<void>(
                co_await told(self_, about(call_kind::commit, {}, patience()), consumer().try_commit(one, patience())));
        }
        pass.finished();
    }

    // Leaves a loop in its middle now and then.
    void break_off(polled_records& polled) {
        auto stop_at = std::int64_t{1} << 40;
        if (self_.choice().chance(50)) stop_at = self_.choice().between(1, 20);
        reading_pass pass(self_);
        std::int64_t count = 0;
        for (const auto& one : polled) {
            pass.saw(one);
            if (++count == stop_at) return;
        }
        pass.finished();
    }

    task<> read_by_partition(polled_records polled) {
        auto parts = std::move(polled).by_partition();
        std::reverse(parts.begin(), parts.end());
        for (auto& part : parts) {
            read_all(self_, part, &part.topic_partition());
            if (self_.choice().chance(20)) co_await self_.sleep(std::chrono::milliseconds(5));
        }
    }

    task<> wander() {
        if (!self_.choice().chance(10)) co_return;
        const auto mine = consumer().assignment();
        if (mine.empty()) co_return;
        const auto one = self_.choice().one_of(mine);
        auto begun = about(call_kind::list_topics, mine, patience());
        switch (self_.choice().between(0, 6)) {
            case 0:
                co_await pause(only(one));
                co_await resume(only(one));
                break;
            case 1: co_await seek_to(one, true); break;
            case 2: co_await seek_to(one, false); break;
            case 3:
                begun.what = call_kind::list_offsets;
                static_cast<void>(co_await told(self_, std::move(begun), consumer().try_end_offsets(mine, patience())));
                break;
            case 4:
                if (!may_commit(mine_)) break;
                begun.what = call_kind::committed;
                static_cast<void>(co_await told(self_, std::move(begun), consumer().try_committed(mine, patience())));
                break;
            case 5: static_cast<void>(co_await position(one)); break;
            default: static_cast<void>(co_await told(self_, std::move(begun), consumer().try_list_topics(patience())));
        }
    }

    task<> ask() {
        const auto mine = consumer().assignment();
        auto begun = about(call_kind::committed, share_, patience());
        switch (self_.choice().between(0, 5)) {
            case 0: co_await commit(); break;
            case 1:
                static_cast<void>(co_await told(self_, std::move(begun), consumer().try_committed(share_, patience())));
                break;
            case 2:
                begun.what = call_kind::list_offsets;
                static_cast<void>(
                    co_await told(self_, std::move(begun), consumer().try_beginning_offsets(share_, patience())));
                break;
            case 3:
                begun.what = call_kind::list_topics;
                static_cast<void>(co_await told(self_, std::move(begun), consumer().try_list_topics(patience())));
                break;
            case 4:
                begun.what = call_kind::partitions_for;
                static_cast<void>(
                    co_await told(self_, std::move(begun), consumer().try_partitions_for(topics_.front(), patience())));
                break;
            default:
                if (!mine.empty()) static_cast<void>(co_await position(mine.front()));
        }
    }

    observed::call_begun about(call_kind what, const partitions& which = {}, base::duration within = {}) const {
        observed::call_begun begun;
        begun.what = what;
        begun.deadline = self_.now() + (within > base::duration::zero() ? within : std::chrono::minutes(1));
        for (const auto& one : which) begun.which.push_back(self_.calls().logs().log_of(one));
        return begun;
    }

    void let_go_of_oldest() {
        if (kept_.empty()) return;
        released_.push_back(kept_.front().pieces);
        kept_.erase(kept_.begin());
    }
    void let_go() {
        for (const auto& one : kept_) released_.push_back(one.pieces);
        kept_.clear();
    }

    struct kept {
        polled_records records;
        returned_pieces pieces;
    };

    application& self_;
    const std::int32_t number_;
    const consumer_plan mine_;
    const std::vector<std::string> topics_;
    const partitions share_;
    const std::shared_ptr<plan_listener> listener_;
    std::vector<kept> kept_;
    std::vector<returned_pieces> released_;
    bool paused_ = false;
    bool over_ = false;
};

task<> run_plan(application& self, const fault_plan& plan, std::int32_t number) {
    plan_run running(self, plan, number);
    co_await running.run();
}

}  // namespace

consumer_config config_of(const fault_plan& plan, std::int32_t number) {
    const auto& mine = plan.consumers.at(static_cast<std::size_t>(number - 1));
    consumer_config config;
    if (mine.in_group) config.group_id = "billing";
    if (mine.has_group) config.group_id = fmt::format("archive-{}", number);
    if (mine.is_static) config.group_instance_id = fmt::format("instance-{}", number);
    if (may_commit(mine))
        config.enable_auto_commit = mine.how == behaviour::automatic || mine.how == behaviour::breaks ||
                                    mine.how == behaviour::by_partition || mine.how == behaviour::wanders;
    config.auto_commit_interval = in_ms(mine.auto_commit_interval);
    config.auto_offset_reset = mine.never_resets    ? offset_reset::none
                               : mine.from_earliest ? offset_reset::earliest
                                                    : offset_reset::latest;
    config.isolation_level = mine.read_committed ? isolation_level::read_committed : isolation_level::read_uncommitted;
    config.max_poll_interval = in_ms(mine.max_poll_interval);
    if (mine.max_poll_records > 0) config.max_poll_records = mine.max_poll_records;
    config.fetch_max_wait = in_ms(mine.fetch_max_wait);
    config.retry_backoff = in_ms(mine.retry_backoff);
    config.request_timeout = in_ms(mine.request_timeout);
    config.metadata_max_age = in_ms(mine.metadata_max_age);
    config.connections_max_idle = in_ms(mine.connections_max_idle);
    config.memory_limit = static_cast<std::size_t>(mine.memory_limit);
    return config;
}

program program_of(const fault_plan& plan, std::int32_t number) {
    return [&plan, number](application& self) { return run_plan(self, plan, number); };
}

}  // namespace strandline::testkit::sim
