#include "core/offsets/commit_manager.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/boundary/asynchronous_commits.hpp"
#include "core/exchange/leadership_errors.hpp"
#include "core/offsets/commit_errors.hpp"

namespace strandline::core::offsets {

using exchange::close_stage;
using exchange::wait_reason;
using protocol::broker_error;

namespace {

constexpr std::uint16_t commit_operation = 1;

}  // namespace

commit_manager::commit_manager(const exchange::manager_context& context,
                               kernel::view<exchange::coordinator_view> coordinator,
                               kernel::view<exchange::connections_handle> connections,
                               kernel::view<exchange::member_view> member,
                               kernel::view<exchange::subscription_state> subscription,
                               kernel::view<exchange::lifecycle_view> lifecycle,
                               kernel::view<exchange::cluster_view> cluster)
    : context_(context),
      member_(member),
      subscription_(subscription),
      lifecycle_(lifecycle),
      cluster_(cluster),
      link_(context, coordinator, connections),
      lookup_(context, link_, member, subscription, cluster, outbox_),
      automatic_(context.config, subscription) {}

// ---- commands

void commit_manager::on_command(const boundary::command::commit& command, boundary::operation_token token,
                                base::instant deadline, exchange::turn_time) {
    assert(context_.config.group_id);  // the client has looked
    auto commit = made(origin::application, {}, deadline);
    commit.token = token;
    commit.retry = command.retry;
    if (command.what == boundary::command::commit::source::processed) {
        commit.items = automatic_.processed();
    } else {
        for (const auto& [partition, offset] : command.named) {
            if (offset.offset < 0) {
                outbox_.add(boundary::completion{
                    token, tl::unexpected(error(errc::invalid_argument,
                                                fmt::format("commit of {} at {}: an offset is not negative",
                                                            to_string(partition), offset.offset)))});
                return;
            }
            commit_item item{partition, {}, std::nullopt, offset};
            if (const auto* state = subscription_->find(partition)) {
                item.slot = state->slot;
                item.topic_id = state->partition->topic_id;
            } else if (const auto* topic = cluster_->find(partition.topic)) {
                item.topic_id = topic->id;
            }
            commit.items.push_back(std::move(item));
        }
    }
    automatic_.on_explicit(commit.items);
    ask(std::move(commit));
}

void commit_manager::on_command(const boundary::command::committed& command, boundary::operation_token token,
                                base::instant deadline, exchange::turn_time) {
    assert(context_.config.group_id);  // the client has looked
    lookup_.ask(command.which, token, deadline);
    tell_need();
}

void commit_manager::on_cancel(boundary::operation_token token, exchange::turn_time) {
    if (!lookup_.on_cancel(token)) {
        for (auto& commit : queue_.all()) {
            if (commit.token != token) continue;
            // Whether it is sent or not: the application no longer waits for it.
            outbox_.add(boundary::completion{
                token,
                tl::unexpected(commit_timed_out(*context_.config.group_id, "its answer until it was cancelled"))});
            commit.token = boundary::no_operation;
            if (!flight_ || &commit != &queue_.front()) commit.items.clear();
            break;
        }
    }
    finish_empty(true);
    tell_need();
}

// ---- the group's wishes

void commit_manager::on_fact(const exchange::revocation_commit_wanted& fact, exchange::turn_time) {
    const std::set<topic_partition> leaving(fact.leaving.begin(), fact.leaving.end());
    auto items = automatic_.covered();
    std::erase_if(items, [&](const commit_item& item) { return !leaving.contains(item.partition); });
    auto commit = made(origin::revocation, std::move(items), fact.deadline);
    commit.ticket = fact.ticket;
    // Also without anything to commit: what was asked for before has its answer first.
    ask(std::move(commit));
}

void commit_manager::on_fact(const exchange::committed_wanted& fact, exchange::turn_time) {
    lookup_.ask(fact.which);
    tell_need();
}

void commit_manager::on_fact(const exchange::partitions_gone& fact, exchange::turn_time) {
    if (!fact.lost) return;
    std::set<topic_partition> gone;
    for (const auto& partition : fact.which) gone.insert(partition->name);
    for (auto& commit : queue_.all()) {
        // What was being revoked is lost as well: its revocation is over.
        commit.ticket = 0;
        if (flight_ && &commit == &queue_.front()) continue;
        for (auto& item : std::exchange(commit.items, {})) {
            if (gone.contains(item.partition)) {
                fail_item(commit, item, commit_not_of_member(*context_.config.group_id, "its partitions were lost"));
            } else {
                commit.items.push_back(std::move(item));
            }
        }
    }
    finish_empty(false);
    tell_need();
}

void commit_manager::on_fact(const exchange::offsets_left& fact, exchange::turn_time time) {
    if (!automatic_.enabled()) return;
    commit_items items;
    for (const auto& [partition, offset] : fact.which) {
        items.push_back({partition->name, partition->topic_id, std::nullopt, offset});
    }
    // An end of what stands before it is told by on_turn.
    queue_.push(
        made(origin::left, std::move(items), base::saturating_add(time.now, context_.config.default_api_timeout)));
    tell_need();
}

// A revocation that ends without an answer is told all the same, and facts can be told here but not from a plan.
bool commit_manager::on_turn(exchange::turn_time time) {
    end_refused();
    for (auto& commit : queue_.all()) {
        if (commit.from != origin::revocation || commit.items.empty()) continue;
        if (commit.deadline <= time.now) fail_all(commit, commit_timed_out(*context_.config.group_id, "its answer"));
        if (!belongs_to_member(commit)) {
            fail_all(commit, commit_not_of_member(*context_.config.group_id, "the member was fenced or has left"));
        }
    }
    const bool ended = finish_empty(true);
    tell_need();
    return ended;
}

// Nobody will ever be asked: what waits for a coordinator ends now and not at its deadline.
void commit_manager::end_refused() {
    const auto& refusal = link_.refusal();
    if (!refusal) return;
    for (auto& commit : queue_.all()) {
        if (!commit.items.empty()) fail_all(commit, *refusal);
    }
    lookup_.end_all(*refusal);
}

// ---- answers

void commit_manager::on_response(const exchange::response& response, exchange::turn_time time) {
    if (response.operation == committed_lookup::operation) {
        lookup_.on_response(response, time);
    } else if (flight_ && flight_->id == response.id) {
        const auto answered = *std::exchange(flight_, std::nullopt);
        queue_.set_in_flight(false);
        offset_commit_answer answer;
        if (!response.body) {
            link_.lost(answered.at, "a commit had no answer: " + response.body.error().detail);
        } else if (auto read = read_offset_commit_response(*response.body, response.version, answered.items)) {
            answer = std::move(*read);
            link_.throttled(answered.at, answer.throttle, time.now);
        } else {
            context_.facts.emit(exchange::answer_unreadable::of(response, "the answer to a commit cannot be read"));
        }
        // What has no result here may have been committed or not: it is tried again, or fails as passing.
        digest(answered, answer, time);
    }
    finish_empty(true);
    tell_need();
}

void commit_manager::digest(const commit_flight& flight, const offset_commit_answer& answer, exchange::turn_time time) {
    auto& commit = queue_.front();
    const auto& group = *context_.config.group_id;
    const bool as_member = flight.epoch.value() >= 0;
    exchange::offsets_committed done;
    commit_items left;
    auto why_left = broker_error::none;
    std::optional<broker_error> refusal;
    for (auto& item : std::exchange(commit.items, {})) {
        const auto it = answer.results.find(item.partition);
        const auto why = it == answer.results.end() ? broker_error::network_exception : it->second;
        if (why == broker_error::none) {
            commit.committed.insert_or_assign(item.partition, item.offset);
            const auto* state = subscription_->find(item.partition);
            if (state && item.slot == state->slot) done.which.emplace_back(state->slot, item.offset);
            continue;
        }
        switch (verdict_on(why)) {
            case commit_verdict::member_refused: why_left = why; [[fallthrough]];
            case commit_verdict::refused:
                fail_item(commit, item, commit_refused_for_good(group, item.partition, why, as_member));
                // A member that was fenced hears of what it lost.
                if (!refusal && !(is_fence(why) && as_member)) refusal = why;
                break;
            case commit_verdict::stale_epoch:
                commit.stale.on_refused(flight.epoch, time.now, context_.config.request_timeout);
                [[fallthrough]];
            case commit_verdict::passing:
                why_left = why;
                left.push_back(std::move(item));
                break;
        }
    }
    if (!done.which.empty()) context_.facts.emit(std::move(done));
    if (why_left != broker_error::none) tell_trouble(flight, why_left);
    commit.items = std::move(left);
    if (!commit.items.empty()) {
        try_again_or_fail(commit, why_left, time);
    } else if (commit.from == origin::automatic && commit.failed.empty()) {
        automatic_.on_success();
    }
    tell_application(commit, refusal);
}

// Of a commit that nobody waits for, once for each reason: the next one is refused as well. What close has not
// committed it reports itself.
void commit_manager::tell_application(const pending_commit& commit, std::optional<broker_error> refusal) {
    if (commit.from == origin::application || commit.from == origin::closing) return;
    if (commit.failed.empty() && commit.items.empty()) told_refusals_.clear();
    if (refusal && told_refusals_.insert(*refusal).second) {
        outbox_.add(boundary::notice(boundary::error_raised{unasked_commit_failure(commit)}));
    }
}

void commit_manager::tell_trouble(const commit_flight& flight, broker_error why) {
    if (link_.lost(flight.at, why)) return;
    if (is_fence(why) && flight.epoch.value() >= 0) context_.facts.emit(exchange::member_fenced{flight.epoch, why});
    if (exchange::is_about_leadership(why)) {
        context_.facts.emit(exchange::metadata_stale{protocol::to_string(why) + " for a commit"});
    }
}

void commit_manager::try_again_or_fail(pending_commit& commit, broker_error why, exchange::turn_time time) {
    commit.backoff.on_failure(time.now, context_.random, why);
    // Which epoch a commit carries is our affair, so a stale one is no failure of the commit.
    const bool again = commit.retry || verdict_on(why) == commit_verdict::stale_epoch;
    if (again && commit.from != origin::automatic) return;
    if (commit.from == origin::automatic) automatic_.on_failure(time.now, context_.random, why);
    for (const auto& item : std::exchange(commit.items, {})) {
        fail_item(commit, item, commit_refused(*context_.config.group_id, item.partition, why));
    }
}

// ---- the end of a commit

// Commits at the front with nothing left to send. `applying`: facts may be emitted. True: there was one.
bool commit_manager::finish_empty(bool applying) {
    bool ended = false;
    while (!queue_.empty() && !flight_ && queue_.front().items.empty()) {
        auto& commit = queue_.front();
        if (commit.from == origin::revocation) {
            if (commit.ticket != 0) {
                if (!applying) return ended;
                context_.facts.emit(exchange::revocation_committed{commit.ticket});
            }
        } else if (commit.token != boundary::no_operation) {
            if (commit.failure) {
                outbox_.add(boundary::completion{commit.token, tl::unexpected(commit_failure(commit))});
            } else {
                outbox_.add(boundary::completion{commit.token, boundary::operation_value(std::move(commit.committed))});
            }
        }
        queue_.pop();
        ended = true;
    }
    return ended;
}

void commit_manager::fail_item(pending_commit& commit, const commit_item& item, error why) {
    commit.failed.push_back(item.partition);
    if (!commit.failure) commit.failure = std::move(why);
    if (commit.from == origin::application) automatic_.on_explicit_failed({item});
}

void commit_manager::fail_all(pending_commit& commit, const error& why) {
    if (flight_ && &commit == &queue_.front()) {
        if (commit.from == origin::closing) closing_.on_unanswered(std::move(flight_->items));
        flight_.reset();
        queue_.set_in_flight(false);
    }
    for (const auto& item : std::exchange(commit.items, {})) fail_item(commit, item, why);
    if (!commit.failure) commit.failure = why;
}

// ---- plan

exchange::plan commit_manager::plan(exchange::turn_time time) {
    if (auto ready = outbox_.take()) return std::move(*ready);
    exchange::pending_wait wait;
    wait.inputs.add(member_.change()).add(subscription_.change()).add(lifecycle_.change()).add(cluster_.change());
    if (!context_.config.group_id) {
        close_stage_without_group();
        if (auto ready = outbox_.take()) return std::move(*ready);
        return wait.answer();
    }
    link_.await_changes(wait);
    end_void_commits();
    // A stage brings deadlines forward, so it comes before they are looked at.
    begin_stage(time);
    end_late_commits(time, wait);
    finish_empty(false);
    commit_automatically(time, wait);
    send_front(time, wait);
    lookup_.plan(time, wait);
    finish_stage();
    if (auto ready = outbox_.take()) return std::move(*ready);
    return wait.answer();
}

// A member that was fenced, or has joined again since, no longer speaks for what it owned then.
void commit_manager::end_void_commits() {
    for (auto& commit : queue_.all()) {
        if (commit.items.empty() || belongs_to_member(commit)) continue;
        fail_all(commit, commit_not_of_member(*context_.config.group_id, "the member was fenced or has left"));
    }
}

void commit_manager::end_late_commits(exchange::turn_time time, exchange::pending_wait& wait) {
    for (auto& commit : queue_.all()) {
        if (commit.items.empty()) continue;
        if (commit.deadline > time.now) {
            wait.until(time.now, commit.deadline);
            continue;
        }
        const bool is_sent = flight_ && &commit == &queue_.front();
        fail_all(commit, commit_timed_out(*context_.config.group_id, commit_waits_for(commit, is_sent)));
    }
}

void commit_manager::commit_automatically(exchange::turn_time time, exchange::pending_wait& wait) {
    progress_wanted_ = false;
    if (!automatic_.enabled() || lifecycle_->stage != close_stage::open || subscription_->slots().empty()) return;
    automatic_.begin(time.now);
    if (!automatic_.is_due(time.now)) {
        wait.until(time.now, automatic_.due_at());
        return;
    }
    if (!automatic_.covers_something()) {
        progress_wanted_ = true;
        return;
    }
    // While another commit is on its way, or the coordinator is unknown, it is that which is awaited: the timer has
    // done its part.
    if (!queue_.empty() || !link_.may_send(time.now, outbox_, wait)) return;
    auto items = automatic_.covered();
    std::erase_if(items, [&](const commit_item& item) { return is_of_deleted_topic(item); });
    if (items.empty()) {
        progress_wanted_ = true;
        return;
    }
    automatic_.next_after(time.now);
    wait.until(time.now, automatic_.due_at());
    queue_.push(made(origin::automatic, std::move(items), base::never));
}

void commit_manager::send_front(exchange::turn_time time, exchange::pending_wait& wait) {
    if (flight_) return wait.for_response(flight_->id.value(), flight_->expires_at);
    while (!queue_.empty()) {
        drop_deleted_topics(queue_.front());
        if (!queue_.front().items.empty()) break;
        if (finish_empty(false)) continue;
        // A fact tells of its end: in the next turn.
        wait.until(time.now, time.now + base::duration(1));
        return;
    }
    if (queue_.empty()) return;
    auto& commit = queue_.front();
    if (!commit.backoff.may_try(time.now)) {
        wait.until(time.now, commit.backoff.allowed_at());
        return wait.because_of_failure(commit.backoff.cause());
    }
    if (commit.stale.holds_back(member_, time.now)) {
        wait.until(time.now, commit.stale.until());
        return wait.because_of(wait_reason::newer_epoch);
    }
    const auto at = link_.may_send(time.now, outbox_, wait);
    if (!at) return;
    const bool by_id = std::none_of(commit.items.begin(), commit.items.end(),
                                    [](const commit_item& item) { return item.topic_id.is_zero(); });
    const std::int16_t cap = by_id ? first_offset_commit_by_id : std::int16_t{first_offset_commit_by_id - 1};
    const auto version = link_.usable_version(*at, protocol::api_key::offset_commit, cap);
    if (!version) return;
    commit_flight sent{exchange::request_id(context_.ids.next()),
                       base::saturating_add(time.now, context_.config.request_timeout), *at,
                       member_->in_group ? member_->epoch : protocol::member_epoch(-1), commit.items};
    outbox_.add(exchange::outbound_request{
        sent.id, exchange::manager::commit, commit_operation, at->broker, coordinator_link::role,
        make_offset_commit_request(commit.items, context_.config, *member_.operator->(), *version), *version,
        sent.expires_at});
    flight_ = std::move(sent);
    queue_.set_in_flight(true);
}

// Before version 10 a commit names topics only: offsets of a deleted topic would become those of its successor.
bool commit_manager::is_of_deleted_topic(const commit_item& item) const {
    const auto* topic = cluster_->find(item.partition.topic);
    return topic && !topic->id.is_zero() && !item.topic_id.is_zero() && topic->id != item.topic_id;
}

void commit_manager::drop_deleted_topics(pending_commit& commit) {
    for (auto& item : std::exchange(commit.items, {})) {
        if (is_of_deleted_topic(item)) {
            fail_item(commit, item, commit_of_deleted_topic(item.partition));
        } else {
            commit.items.push_back(std::move(item));
        }
    }
}

// ---- close

void commit_manager::begin_stage(exchange::turn_time time) {
    const auto stage = lifecycle_->stage;
    const auto& group = *context_.config.group_id;
    if (!closing_commits::is_stage(stage)) {
        if (stage < close_stage::leave) return;
        for (auto& commit : queue_.all()) fail_all(commit, commit_while_closing(group, "no time was left"));
        return;
    }
    if (closing_.begins(stage)) {
        const auto deadline = closing_commits::deadline_of(lifecycle_.read(), time.now);
        for (auto& commit : queue_.all()) commit.deadline = std::min(commit.deadline, deadline);
        auto items = automatic_.covered();
        std::erase_if(items, [&](const commit_item& item) { return closing_.is_unanswered(item); });
        if (!items.empty()) queue_.push(made(origin::closing, std::move(items), deadline));
    }
    if (queue_.empty() || !(link_.out_of_reach(time.now) || link_.refusal())) return;
    for (auto& commit : queue_.all())
        fail_all(commit, commit_while_closing(group, "its coordinator cannot be reached"));
}

void commit_manager::finish_stage() {
    const auto stage = lifecycle_->stage;
    if (!queue_.empty() || flight_ || !closing_.ends(stage)) return;
    strandline::offsets uncommitted;
    for (const auto& item : automatic_.covered()) uncommitted.emplace(item.partition, item.offset);
    outbox_.add(exchange::stage_finished{stage, std::move(uncommitted)});
}

void commit_manager::close_stage_without_group() {
    const auto stage = lifecycle_->stage;
    if (closing_.ends(stage)) outbox_.add(exchange::stage_finished{stage});
}

// ---- within

void commit_manager::ask(pending_commit commit) {
    if (const auto folded = queue_.push(std::move(commit))) {
        outbox_.add(boundary::completion{*folded, tl::unexpected(boundary::commit_superseded())});
    }
    finish_empty(true);
    tell_need();
}

void commit_manager::tell_need() {
    const bool needed = !queue_.empty() || !lookup_.empty() || automatic_.covers_something();
    if (std::exchange(coordinator_needed_, needed) == needed) return;
    context_.facts.emit(exchange::coordinator_needed{exchange::manager::commit, needed});
}

pending_commit commit_manager::made(origin from, commit_items items, base::instant deadline) const {
    pending_commit commit(context_.config.retry);
    commit.from = from;
    commit.items = std::move(items);
    commit.deadline = deadline;
    if (member_->in_group) commit.member = member_->incarnation;
    return commit;
}

bool commit_manager::belongs_to_member(const pending_commit& commit) const {
    return !commit.member || (member_->in_group && member_->incarnation == *commit.member);
}

}  // namespace strandline::core::offsets
