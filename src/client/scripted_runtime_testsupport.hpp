// A reactor for tests of the client: a thread that answers commands as a healthy group would, and does what a test
// posts.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "client/consumer_state.hpp"
#include "client/runtime.hpp"
#include "core/boundary/snapshot.hpp"
#include "records/batch_builder.hpp"

namespace strandline::client::testsupport {

namespace boundary = core::boundary;
namespace command = core::boundary::command;

// Guarded by one mutex; the thread holds it while it turns.
class scripted_runtime final : public runtime, handoff::reactor_waker {
public:
    explicit scripted_runtime(handoff::handoff& meeting) : meeting_(meeting), thread_([this] { run(); }) {}
    ~scripted_runtime() override {
        {
            const std::lock_guard held(signal_mutex_);
            stop_ = true;
            signal_condition_.notify_all();
        }
        thread_.join();
        meeting_.set_reactor_waker(nullptr);
    }

    void signal() noexcept override {
        const std::lock_guard held(signal_mutex_);
        signalled_ = true;
        signal_condition_.notify_all();
    }

    // Runs `body` as the effects of a turn.
    void turn(const std::function<void(handoff::handoff&)>& body) {
        const std::lock_guard held(mutex_);
        body(meeting_);
        meeting_.wake_application();
    }
    void assign(std::uint32_t slot, const topic_partition& name, bool callback_pending = false) {
        turn([&](handoff::handoff&) { put(slot, name, 1, callback_pending); });
    }
    // Records with these values at consecutive offsets from `from`, as one completed fetch.
    void deliver(std::uint32_t slot, std::int64_t from, const std::vector<std::string>& values,
                 records::compression_codec codec = records::compression_codec::none) {
        records::batch_builder builder({.codec = codec, .base_offset = from, .leader_epoch = 5});
        for (const auto& value : values) {
            builder.append(
                {.timestamp = 1000, .key = base::as_bytes("key"), .value = base::as_bytes(value), .headers = {}});
        }
        deliver_bytes(slot, from, from + static_cast<std::int64_t>(values.size()), builder.build());
    }
    void deliver_bytes(std::uint32_t slot, std::int64_t from, std::int64_t next, base::shared_bytes batches,
                       std::optional<error> failure = std::nullopt) {
        turn([&](handoff::handoff& meeting) {
            boundary::completed_fetch made;
            made.slot = boundary::slot_id(slot);
            made.era = slots_.at(slot).era;
            made.partition = slots_.at(slot).partition;
            made.batches = std::move(batches);
            made.from_offset = from;
            made.next_offset = next;
            made.next_leader_epoch = 5;
            made.failure = std::move(failure);
            meeting.deliver(std::move(made));
        });
    }
    void fence(std::uint32_t slot) {
        turn([&](handoff::handoff& meeting) {
            slots_.at(slot).fenced = true;
            meeting.update(slots_.at(slot));
        });
    }
    void want_callback(boundary::callback_wanted::kind what, partitions which) {
        turn([&](handoff::handoff& meeting) {
            meeting.notify(boundary::callback_wanted{boundary::callback_id(++callbacks_), what, std::move(which)});
        });
    }

    void tell_of_resets(std::vector<position_reset> which) {
        turn([&](handoff::handoff& meeting) { meeting.notify(boundary::positions_reset{std::move(which)}); });
    }

    // --- What a test may look at and change; through these only.
    template <class Look>
    auto look(Look&& how) {
        const std::lock_guard held(mutex_);
        return how(*this);
    }
    // Waits until the reactor has seen what `condition` asks for.
    template <class Condition>
    void await(Condition&& reached) {
        std::unique_lock held(mutex_);
        condition_.wait(held, [&] { return reached(*this); });
    }

    std::vector<boundary::any_command> commands;
    std::map<std::uint32_t, std::int64_t> processed;   // by slot, newest checkpoint
    std::vector<boundary::fence_acknowledged> fences;
    std::vector<std::optional<error>> callbacks_finished;
    offsets committed;
    // Answers instead of the standard one; empty: as a healthy group would. A command that is kept has no answer.
    std::function<std::optional<result<boundary::operation_value>>(const boundary::any_command&)> answer;
    std::vector<boundary::operation_token> kept;
    std::function<bool(const boundary::any_command&)> keeps;
    bool revoke_on_leaving = false;  // unsubscribe and close want on_revoked first

private:
    void run() {
        meeting_.set_reactor_waker(this);
        for (bool more = true; more;) {
            {
                const std::lock_guard held(mutex_);
                turn_held();
                condition_.notify_all();
            }
            std::unique_lock held(signal_mutex_);
            signal_condition_.wait(held, [&] { return signalled_ || stop_; });
            signalled_ = false;
            more = !stop_;
        }
    }

    void turn_held() {
        meeting_.collect(inputs_);
        if (inputs_.checkpoint) {
            for (const auto& one : inputs_.checkpoint->changed) processed[one.slot.value()] = one.processed_offset;
        }
        fences.insert(fences.end(), inputs_.fences.begin(), inputs_.fences.end());
        std::vector<boundary::completion> ended;
        for (auto& submitted : inputs_.commands) {
            commands.push_back(submitted.what);
            apply(submitted, ended);
        }
        publish();
        for (auto& one : ended) meeting_.complete(std::move(one));
        meeting_.wake_application();
    }

    void apply(boundary::submitted_command& submitted, std::vector<boundary::completion>& ended) {
        if (const auto* finished = std::get_if<command::callback_finished>(&submitted.what)) {
            callbacks_finished.push_back(finished->failure);
            if (const auto token = std::exchange(leaving_, std::nullopt)) {
                ended.push_back({*token, boundary::operation_value(boundary::done())});
            }
            return;
        }
        if (submitted.token == boundary::no_operation) return;
        if (keeps && keeps(submitted.what)) {
            kept.push_back(submitted.token);
            return;
        }
        if (answer) {
            if (auto given = answer(submitted.what)) {
                ended.push_back({submitted.token, std::move(*given)});
                return;
            }
        }
        const bool leaves = std::holds_alternative<command::close>(submitted.what) ||
                            std::holds_alternative<command::unsubscribe>(submitted.what);
        if (leaves && revoke_on_leaving) {
            leaving_ = submitted.token;
            meeting_.notify(boundary::callback_wanted{
                boundary::callback_id(++callbacks_), boundary::callback_wanted::kind::revoked, {{"orders", 0}}});
            return;
        }
        ended.push_back({submitted.token, std::visit([&](auto& what) { return standard(what); }, submitted.what)});
    }

    template <class Command>
    result<boundary::operation_value> standard(const Command&) {
        return boundary::operation_value(boundary::done());
    }
    result<boundary::operation_value> standard(const command::assign& what) {
        for (std::uint32_t i = 0; i < what.wanted.size(); ++i) put(i, what.wanted[i], 1, false);
        return boundary::operation_value(boundary::done());
    }
    result<boundary::operation_value> standard(const command::commit& what) {
        offsets now = what.named;
        if (what.what == command::commit::source::processed) {
            for (const auto& [slot, offset] : processed) now[slots_.at(slot).partition->name] = offset;
        }
        for (const auto& [partition, offset] : now) committed[partition] = offset;
        return boundary::operation_value(now);
    }
    result<boundary::operation_value> standard(const command::seek& what) {
        for (auto& [slot, state] : slots_) {
            if (state.partition->name != what.partition) continue;
            state.era = boundary::incarnation(state.era.value() + 1);
            meeting_.update(state);
        }
        return boundary::operation_value(boundary::done());
    }
    result<boundary::operation_value> standard(const command::pause& what) { return set_paused(what.which, true); }
    result<boundary::operation_value> standard(const command::resume& what) { return set_paused(what.which, false); }
    result<boundary::operation_value> standard(const command::position&) {
        return boundary::operation_value(boundary::position_value{77, std::nullopt});
    }
    result<boundary::operation_value> standard(const command::committed&) {
        return boundary::operation_value(committed);
    }
    result<boundary::operation_value> standard(const command::list_offsets& what) {
        boundary::list_offsets_value found;
        for (const auto& [partition, timestamp] : what.timestamps) {
            found.found[partition] =
                offset_and_timestamp{timestamp == command::list_offsets::earliest ? 3 : 900, {}, {}};
        }
        return boundary::operation_value(found);
    }
    result<boundary::operation_value> standard(const command::partitions_for& what) {
        return boundary::operation_value(boundary::topics_value{{{what.topic, {{{what.topic, 0}, 1, {1}, {1}, {}}}}}});
    }
    result<boundary::operation_value> standard(const command::list_topics&) {
        return boundary::operation_value(boundary::topics_value{{{"orders", {}}}});
    }
    result<boundary::operation_value> standard(const command::close&) {
        return boundary::operation_value(boundary::close_value());
    }

    result<boundary::operation_value> set_paused(const partitions& which, bool paused) {
        for (auto& [slot, state] : slots_) {
            for (const auto& partition : which) {
                if (state.partition->name != partition) continue;
                state.paused = paused;
                meeting_.update(state);
            }
        }
        return boundary::operation_value(boundary::done());
    }

    void put(std::uint32_t slot, const topic_partition& name, std::uint64_t era, bool callback_pending) {
        auto& state = slots_[slot];
        state.slot = boundary::slot_id(slot);
        state.era = boundary::incarnation(era);
        state.callback_pending = callback_pending;
        state.partition = std::make_shared<const boundary::partition_identity>(boundary::partition_identity{name, {}});
        meeting_.update(state);
    }

    void publish() {
        auto made = std::make_shared<boundary::snapshot>(*meeting_.snapshot());
        ++made->version;
        auto page = std::make_shared<boundary::partition_page>();
        for (const auto& [slot, state] : slots_) {
            boundary::partition_state one;
            one.partition = state.partition;
            one.slot = state.slot;
            one.era = state.era;
            one.paused = state.paused;
            one.fenced = state.fenced;
            one.position = boundary::fetch_position{.offset = 50};
            one.high_watermark = 60;
            one.last_stable_offset = 58;
            page->partitions.push_back(one);
        }
        made->pages = std::make_shared<const boundary::page_list>(boundary::page_list{page});
        meeting_.publish(made);
    }

    handoff::handoff& meeting_;
    handoff::reactor_inputs inputs_;
    std::map<std::uint32_t, boundary::slot_update> slots_;
    std::uint64_t callbacks_ = 0;
    std::optional<boundary::operation_token> leaving_;

    std::mutex mutex_;
    std::mutex signal_mutex_;
    std::condition_variable condition_;
    std::condition_variable signal_condition_;
    bool signalled_ = false;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace strandline::client::testsupport
