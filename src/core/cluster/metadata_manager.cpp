#include "core/cluster/metadata_manager.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/cluster/topic_errors.hpp"
#include "core/exchange/wait_reason.hpp"
#include "protocol/codec.hpp"

namespace strandline::core::cluster {

using exchange::connection_role;
using exchange::turn_time;
using exchange::wait_reason;
using protocol::broker_error;
using protocol::messages::metadata_request;
using protocol::messages::metadata_response;

namespace {

// Topics that do not exist, and starting from the beginning, are tried this much less often than requests.
constexpr base::duration slowest_repeat = std::chrono::seconds(10);
// Repeating at once is for answers that arrive, never for a user's back-off of zero.
constexpr base::duration fastest_repeat = std::chrono::milliseconds(20);
// Started again and undisturbed for this long: the next time is a first time.
constexpr base::duration calm_after_rebootstrap = std::chrono::minutes(1);
// The first version that answers about topic ids.
constexpr std::int16_t first_version_with_ids = 12;
// The first version in which a client may say that topics are not to be made.
constexpr std::int16_t first_version_with_auto_creation = 4;

boundary::backoff repeat_limits(boundary::backoff retry, base::duration maximum) {
    const auto initial = std::max(retry.initial, fastest_repeat);
    return {initial, std::max(initial, maximum)};
}

}  // namespace

metadata_manager::metadata_manager(const exchange::manager_context& context,
                                   kernel::versioned<exchange::cluster_view>& cluster,
                                   kernel::view<exchange::connections_handle> connections)
    : context_(context),
      connections_(connections),
      cluster_(cluster),
      lookups_(outbox_),
      failures_(repeat_limits(context.config.retry, context.config.retry.maximum)),
      repeats_(repeat_limits(context.config.retry, context.config.retry.maximum)),
      absences_(repeat_limits(context.config.retry, slowest_repeat)),
      rebootstraps_(repeat_limits(context.config.retry, slowest_repeat)) {}

// ---- inputs

void metadata_manager::on_time(turn_time time) {
    if (rebootstrap_due_) {
        if (*rebootstrap_due_ <= time.now) rebootstrap(time.now);
    } else if (rebootstrap_triggers_at() <= time.now) {
        want_rebootstrap(time.now);
    }
}

void metadata_manager::on_command(const boundary::command::partitions_for& command, boundary::operation_token token,
                                  base::instant deadline, turn_time time) {
    const auto* const known = cluster_.get().find(command.topic);
    const bool is_fresh =
        last_refresh_ && time.now - *last_refresh_ < context_.config.metadata_max_age && doubts_ == doubts_settled_;
    if (known && is_fresh && known->failure == broker_error::none) {
        outbox_.add(boundary::completion{token, topics_of(*known)});
        return;
    }
    begin_look_up();
    lookups_.add_topic(token, deadline, command.topic);
}

void metadata_manager::on_command(const boundary::command::list_topics& /*command*/, boundary::operation_token token,
                                  base::instant deadline, turn_time /*time*/) {
    begin_look_up();
    lookups_.add_list(token, deadline);
}

// A new question is asked at once, and repeated at a pace of its own: not at the one to which those before it have
// come.
void metadata_manager::begin_look_up() {
    lookups_asked_ = false;
    const bool is_paced_for_others = !lookups_.empty() || gaps_.leaderless || doubts_ != doubts_settled_;
    if (!is_paced_for_others) repeats_.on_success();
}

void metadata_manager::on_cancel(boundary::operation_token token, turn_time /*time*/) { lookups_.cancel(token); }

void metadata_manager::on_fact(const exchange::topics_of_interest& fact, turn_time /*time*/) {
    interest_.replace(fact);
    absences_.on_success();
    review();
}

void metadata_manager::on_fact(const exchange::metadata_stale& /*fact*/, turn_time /*time*/) { ++doubts_; }

void metadata_manager::on_fact(const exchange::leader_hint& fact, turn_time /*time*/) {
    if (!is_newer(cluster_.get(), fact)) return;
    take_hint(cluster_.change(), fact);
    // Where it is will be asked if it was not told.
    if (!cluster_.get().brokers.contains(fact.leader)) ++doubts_;
    metadata_change change;
    change.leadership.push_back(fact.partition);
    publish(std::move(change));
}

void metadata_manager::on_fact(const exchange::broker_address_learnt& fact, turn_time /*time*/) {
    const auto known = cluster_.get().brokers.find(fact.broker);
    if (known != cluster_.get().brokers.end() && known->second.address == fact.address) return;
    if (!is_usable(fact.address.host, fact.address.port)) return;
    cluster_.change().brokers[fact.broker] = {fact.broker, fact.address, {}};
}

void metadata_manager::on_fact(const exchange::rebootstrap_wanted& /*fact*/, turn_time time) {
    want_rebootstrap(time.now);
}

// ---- when and what to ask

exchange::plan metadata_manager::plan(turn_time time) {
    lookups_.expire(time.now);
    if (auto gathered = outbox_.take()) return *std::move(gathered);
    if (in_flight_) {
        const auto id = in_flight_->id.value();
        return wait(kernel::await_set(kernel::awaited::response(id, in_flight_->expires_at)),
                    exchange::because(wait_reason::response, id), time.now);
    }
    const auto due = next_need(time.now);
    if (!due) {
        return wait(kernel::await_set(kernel::awaited::command()), exchange::because(wait_reason::nothing_to_do),
                    time.now);
    }
    if (const auto later = kernel::future_instant::after(time.now, due->since)) {
        return wait(kernel::await_set(kernel::awaited::timer(*later)),
                    due->is_repeat ? exchange::because(wait_reason::backoff, failures_.cause().subject())
                                   : exchange::because(wait_reason::nothing_to_do),
                    time.now);
    }
    if (!unanswered_since_) unanswered_since_ = time.now;
    return ask(*due, time.now);
}

// The earliest of everything that makes a request due; ids come first, because names cannot be asked along with them.
std::optional<metadata_manager::need> metadata_manager::next_need(base::instant now) const {
    std::optional<need> earliest;
    const auto consider = [&](base::instant wanted, scope about, bool for_its_age = false) {
        const auto since = std::max({wanted, now, failures_.allowed_at()});
        const bool is_repeat = !for_its_age || failures_.allowed_at() > wanted;
        if (!earliest || since < earliest->since) earliest = need{since, about, is_repeat};
    };
    const auto usual = interest_.all() ? scope::all : scope::names;
    if (gaps_.fresh_ids) consider(now, scope::ids);
    if (gaps_.missing && !unknown_ids_.empty()) consider(absences_.allowed_at(), scope::ids);
    if (lookups_.wants_list()) consider(lookups_asked_ ? repeats_.allowed_at() : now, scope::all);
    if (!lookups_.empty()) consider(lookups_asked_ ? repeats_.allowed_at() : now, usual);
    if (gaps_.fresh_names || (!last_refresh_ && !interest_.empty())) consider(now, usual);
    if (doubts_ != doubts_settled_) consider(repeats_.allowed_at(), usual);
    if (gaps_.leaderless) consider(repeats_.allowed_at(), usual);
    if (gaps_.missing) consider(absences_.allowed_at(), usual);
    if (last_refresh_ && !interest_.empty()) {
        consider(base::saturating_add(*last_refresh_, context_.config.metadata_max_age), usual, true);
    }
    return earliest;
}

exchange::plan metadata_manager::ask(need what, base::instant now) {
    const auto& connections = connections_.read();
    kernel::await_set change(connections_.change());
    const auto broker = connections->any_broker(connection_role::control, now);
    if (!broker) return wait(change, exchange::because(wait_reason::no_broker_reachable), now);
    const auto number = static_cast<std::uint64_t>(broker->value());
    switch (connections->of(*broker, connection_role::control).is) {
        case exchange::readiness::state::unknown:
            return exchange::plan::progress(exchange::connection_wanted{*broker, connection_role::control});
        case exchange::readiness::state::connecting:
            return wait(change, exchange::because(wait_reason::broker_connecting, number), now);
        case exchange::readiness::state::backing_off:
            return wait(change, exchange::because(wait_reason::broker_backing_off, number), now);
        case exchange::readiness::state::ready: break;
    }
    const auto silent_until = connections->throttled_until(*broker, connection_role::control);
    if (const auto later = kernel::future_instant::after(now, silent_until)) {
        change.add(kernel::awaited::timer(*later));
        return wait(change, exchange::because(wait_reason::throttled, number), now);
    }
    const auto version = connections->usable_version(*broker, protocol::api_key::metadata);
    if (version) return send(*broker, *version, what, now);
    on_failure(broker_error::unsupported_version, now);
    change.add(kernel::awaited::timer(kernel::future_instant::in(now, failures_.allowed_at() - now)));
    return wait(change, exchange::because(wait_reason::backoff, failures_.cause().subject()), now);
}

exchange::plan metadata_manager::send(protocol::broker_id broker, std::int16_t version, need what, base::instant now) {
    asked about;
    about.id = exchange::request_id(context_.ids.next());
    about.expires_at = base::saturating_add(now, context_.config.request_timeout);
    // Older brokers tell ids beside names, so there the list of everything is asked for.
    about.about = what.about == scope::ids && version < first_version_with_ids ? scope::all : what.about;
    about.doubts = doubts_;
    if (about.about == scope::ids) {
        about.ids = interest_.unresolved(cluster_.get());
    } else {
        about.names = interest_.names(cluster_.get());
        about.names.merge(lookups_.topics());
        lookups_asked_ = true;
    }
    exchange::outbound_request request{.id = about.id,
                                       .owner = exchange::manager::metadata,
                                       .broker = broker,
                                       .role = connection_role::control,
                                       .body = make_request(version, about),
                                       .version = version,
                                       .expires_at = about.expires_at};
    in_flight_ = std::move(about);
    return exchange::plan::progress(std::move(request));
}

metadata_request metadata_manager::make_request(std::int16_t version, const asked& about) const {
    metadata_request request;
    if (about.about == scope::all) {
        // Version 0 has no null: there the empty list means every topic.
        if (version > 0) request.topics = std::nullopt;
    } else {
        for (const auto id : about.ids) request.topics->push_back({.topic_id = id, .name = std::nullopt});
        for (const auto& name : about.names) request.topics->push_back({.topic_id = {}, .name = name});
    }
    if (version >= first_version_with_auto_creation) {
        request.allow_auto_topic_creation = about.about == scope::names && context_.config.allow_auto_create_topics;
    }
    return request;
}

// Every wait also ends when a look-up has waited long enough, and when it is time to start again.
exchange::plan metadata_manager::wait(kernel::await_set inputs, kernel::reason why, base::instant now) const {
    const auto until = std::min(lookups_.earliest_deadline(), rebootstrap_due_.value_or(rebootstrap_triggers_at()));
    if (const auto later = kernel::future_instant::after(now, until); later && until != base::never) {
        inputs.add(kernel::awaited::timer(*later));
    }
    return exchange::plan::await(inputs, why);
}

void metadata_manager::review() {
    const auto& cluster = cluster_.get();
    gaps_ = {};
    boundary::cluster_snapshot found{interest_.outgrown(cluster), 0};
    for (const auto& name : interest_.names(cluster)) {
        const auto* const topic = cluster.find(name);
        if (!topic) {
            gaps_.fresh_names = true;
        } else if (topic->failure == broker_error::none) {
            gaps_.leaderless |= std::any_of(topic->partitions.begin(), topic->partitions.end(),
                                            [](const auto& one) { return one.leader == protocol::no_broker; });
        } else if (topic->failure == broker_error::leader_not_available) {
            gaps_.leaderless = true;
        } else {
            gaps_.missing = true;
            found.troubles.push_back({name, topic->failure});
        }
    }
    gaps_.leaderless |= interest_.is_outgrown(cluster);
    const auto unresolved = interest_.unresolved(cluster);
    std::erase_if(unknown_ids_, [&](protocol::topic_id id) { return !unresolved.contains(id); });
    gaps_.fresh_ids = unresolved.size() > unknown_ids_.size();
    gaps_.missing |= !unknown_ids_.empty();
    found.unnamed_topics = unresolved.size();
    tell_troubles(std::move(found));
}

void metadata_manager::tell_troubles(boundary::cluster_snapshot found) {
    if (*troubles_ != found) troubles_ = std::make_shared<const boundary::cluster_snapshot>(std::move(found));
}

// ---- what was answered

void metadata_manager::on_response(const exchange::response& response, turn_time time) {
    if (!in_flight_ || in_flight_->id != response.id) return;
    const auto about = *std::exchange(in_flight_, std::nullopt);
    if (!response.body) return on_failure(response.body.error().what, time.now);
    const auto metadata = protocol::decode<metadata_response>(*response.body, response.version);
    if (!metadata) {
        context_.facts.emit(exchange::answer_unreadable::of(response, metadata.error().to_string()));
        return on_failure(exchange::request_failure::kind::malformed, time.now);
    }
    if (metadata->throttle_time_ms > 0) {
        const auto until = base::saturating_add(time.now, std::chrono::milliseconds(metadata->throttle_time_ms));
        context_.facts.emit(exchange::broker_throttled{response.broker, connection_role::control, until});
    }
    on_answer(*metadata, about, time.now);
}

void metadata_manager::on_failure(exchange::failure_cause cause, base::instant now) {
    failures_.on_failure(now, context_.random, cause);
    lookups_asked_ = false;
}

void metadata_manager::on_answer(const answer& metadata, const asked& about, base::instant now) {
    if (metadata.error_code == broker_error::rebootstrap_required) {
        on_failure(metadata.error_code, now);
        return want_rebootstrap(now);
    }
    // A broker that lists no broker knows nothing yet, or nothing any more: no reason to forget those we know.
    if (metadata.error_code != broker_error::none || usable_brokers(metadata).empty()) {
        return on_failure(metadata.error_code, now);
    }
    if (is_of_another_cluster(metadata)) {
        on_failure(broker_error::inconsistent_cluster_id, now);
        if (!std::exchange(wrong_cluster_reported_, true)) {
            raise(error(errc::wrong_cluster,
                        fmt::format("a broker of cluster {} answered; this consumer has been reading cluster {}",
                                    *metadata.cluster_id, cluster_.get().cluster_id)));
        }
        return want_rebootstrap(now);
    }
    failures_.on_success();
    unanswered_since_.reset();
    wrong_cluster_reported_ = false;
    note_pace(now);
    take_brokers(metadata);
    take_topics(metadata, about);
    if (about.about != scope::ids) {
        last_refresh_ = now;
        doubts_settled_ = about.doubts;
    }
    review();
    if (gaps_.missing) {
        absences_.on_failure(now, context_.random);
    } else {
        absences_.on_success();
    }
}

bool metadata_manager::is_of_another_cluster(const answer& metadata) const {
    const auto& known = cluster_.get().cluster_id;
    return context_.config.cluster_check && !known.empty() && metadata.cluster_id && *metadata.cluster_id != known;
}

// Questions that follow each other closely are spaced out more and more.
void metadata_manager::note_pace(base::instant now) {
    if (!last_answer_ || now - *last_answer_ > 2 * context_.config.retry.maximum) repeats_.on_success();
    repeats_.on_failure(now, context_.random);
    last_answer_ = now;
}

void metadata_manager::take_brokers(const answer& metadata) {
    auto& cluster = cluster_.change();
    cluster.brokers = usable_brokers(metadata);
    cluster.cluster_id = metadata.cluster_id.value_or("");
    cluster.bootstrapped = true;
    ++cluster.answers;
    if (!former_cluster_id_.empty() && former_cluster_id_ != cluster.cluster_id) forget_epochs(cluster);
    former_cluster_id_.clear();
}

void metadata_manager::take_topics(const answer& metadata, const asked& about) {
    auto& cluster = cluster_.change();
    metadata_change change;
    std::set<std::string> answered;
    for (const auto& topic : metadata.topics) {
        if (!topic.name) continue;
        answered.insert(*topic.name);
        if (interest_.all() || about.about == scope::ids || about.names.contains(*topic.name))
            merge(cluster, topic, change);
    }
    for (const auto id : about.ids) {
        if (!cluster.name_of(id)) unknown_ids_.insert(id);
    }
    if (about.about != scope::ids) {
        for (const auto& name : about.names) {
            if (!answered.contains(name)) mark_missing(cluster, name, change);
        }
        if (about.about == scope::all) lookups_.on_list(metadata);
        lookups_.on_answer(cluster, about.names);
        const auto wanted = interest_.names(cluster);
        drop_topics(
            cluster,
            [&](const std::string& name) {
                return wanted.contains(name) || (interest_.all() && answered.contains(name));
            },
            change);
    }
    report_topic_errors(metadata);
    publish(std::move(change));
}

void metadata_manager::report_topic_errors(const answer& metadata) {
    const auto wanted = interest_.names_consumed(cluster_.get());
    for (const auto& topic : metadata.topics) {
        if (!topic.name || !wanted.contains(*topic.name)) continue;
        const bool is_refused = topic.error_code == broker_error::topic_authorization_failed ||
                                topic.error_code == broker_error::invalid_topic_exception;
        if (!is_refused) {
            reported_.erase(*topic.name);
        } else if (reported_.insert(*topic.name).second) {
            raise(topic_error(*topic.name, topic.error_code));
        }
    }
}

void metadata_manager::raise(error reason) { outbox_.add(boundary::notice(boundary::error_raised{std::move(reason)})); }

void metadata_manager::publish(metadata_change change) {
    auto& moved = change.leadership;
    std::sort(moved.begin(), moved.end());
    moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
    if (!moved.empty()) context_.facts.emit(exchange::leadership_changed{std::move(moved)});
    if (change.topics) context_.facts.emit(exchange::topics_changed{});
}

// ---- starting again

base::instant metadata_manager::rebootstrap_triggers_at() const noexcept {
    if (!context_.config.rebootstrap || !unanswered_since_) return base::never;
    return base::saturating_add(*unanswered_since_, context_.config.rebootstrap_trigger);
}

void metadata_manager::want_rebootstrap(base::instant now) {
    if (!context_.config.rebootstrap) {
        ++doubts_;
        return;
    }
    if (last_rebootstrap_ && now - *last_rebootstrap_ > calm_after_rebootstrap) rebootstraps_.on_success();
    if (rebootstraps_.may_try(now)) {
        rebootstrap(now);
    } else if (!rebootstrap_due_) {
        rebootstrap_due_ = rebootstraps_.allowed_at();
    }
}

void metadata_manager::rebootstrap(base::instant now) {
    rebootstrap_due_.reset();
    last_rebootstrap_ = now;
    rebootstraps_.on_failure(now, context_.random);
    in_flight_.reset();
    lookups_asked_ = false;
    failures_.on_success();
    repeats_.on_success();
    unanswered_since_ = now;
    ++doubts_;
    auto& cluster = cluster_.change();
    if (!cluster.cluster_id.empty()) former_cluster_id_ = std::exchange(cluster.cluster_id, {});
    cluster.brokers.clear();
    cluster.bootstrapped = false;
    context_.facts.emit(exchange::rebootstrap_started{});
}

}  // namespace strandline::core::cluster
