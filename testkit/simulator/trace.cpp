#include "testkit/simulator/trace.hpp"

#include <array>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "testkit/simulator/duration_words.hpp"
#include "testkit/simulator/situation_names.hpp"
#include "testkit/simulator/virtual_clock.hpp"

namespace strandline::testkit::sim {

namespace {

using namespace observed;

std::string since_start(base::instant when) {
    if (when == base::never) return "never";
    const auto time = when - first_instant;
    return fmt::format("{}.{:09}", time.count() / 1'000'000'000, time.count() % 1'000'000'000);
}

std::string name(log_id log) { return log == no_log ? "no log" : fmt::format("log-{}", log.value()); }

template <class Logs>
std::string names(const Logs& all) {
    std::string text;
    for (const auto one : all) text += (text.empty() ? "" : ",") + name(one);
    return "[" + text + "]";
}
std::string offsets_in_words(const std::vector<std::pair<log_id, std::int64_t>>& all) {
    std::string text;
    for (const auto& [log, offset] : all) text += fmt::format("{}{}@{}", text.empty() ? "" : ",", name(log), offset);
    return "[" + text + "]";
}
std::string failure_in_words(const std::optional<error>& failure) {
    return failure ? " failed: " + failure->message() : std::string();
}

constexpr std::array<std::string_view, 7> finds{"nothing", "failed", "woken", "notice", "ended", "data", "outcome"};
constexpr std::array<std::string_view, 4> notices{"assigned", "revoked", "lost", "error"};
constexpr std::array<std::string_view, 5> effects{"order", "delivery", "notice", "completion", "wake"};
constexpr std::array<std::string_view, 6> ends{"answered",  "disconnected", "expired",
                                               "not_ready", "unencodable",  "malformed"};
constexpr std::array<std::string_view, 4> changes{"joined", "changed", "fenced", "left"};
template <std::size_t Count, class Enum>
std::string_view word(const std::array<std::string_view, Count>& words, Enum value) {
    return words[static_cast<std::size_t>(value)];
}

// ---- the cluster
std::string words(const topic_created& it) {
    return fmt::format("topic {} is created with {} partitions from {}", it.name, it.partitions, name(it.first));
}
std::string words(const partitions_added& it) {
    return fmt::format("partitions {} to {} are added, from {}", it.already, it.total - 1, name(it.first));
}
std::string words(const topic_deleted& it) { return fmt::format("topic {} is deleted", it.id.to_string()); }
std::string words(const appended& it) {
    constexpr std::array<std::string_view, 3> kinds{"data", "control", "compacted"};
    return fmt::format("{} gets [{}, {}) {} content {} producer {} epoch {}", name(it.log), it.from, it.to,
                       word(kinds, it.what), it.first_content, it.producer_id, it.leader_epoch);
}
std::string words(const transaction_ended& it) {
    return fmt::format("{} producer {} {}", name(it.log), it.producer_id, it.committed ? "commits" : "aborts");
}
std::string words(const truncated& it) { return fmt::format("{} is truncated to {}", name(it.log), it.to); }
std::string words(const log_start_moved& it) { return fmt::format("{} starts at {}", name(it.log), it.to); }
std::string words(const leader_changed& it) {
    return fmt::format("{} is led by broker {} epoch {}", name(it.log), it.broker.value(), it.leader_epoch);
}
std::string words(const broker_state_changed& it) {
    return fmt::format("broker {} {}", it.broker.value(), it.running ? "runs" : "stops");
}
std::string words(const coordinator_changed& it) {
    return fmt::format("group {} is coordinated by broker {}", it.group, it.broker.value());
}
std::string words(const group_member_changed& it) {
    return fmt::format("group {} member {} {} epoch {} of {} assigned {} revoking {}", it.group, it.member_id,
                       word(changes, it.what), it.epoch, it.group_epoch, names(it.assigned), names(it.revoking));
}
std::string words(const offset_stored& it) {
    return fmt::format("group {} stores {}@{} of member {} epoch {}", it.group, name(it.log), it.offset, it.member_id,
                       it.member_epoch);
}
std::string words(const offsets_expired& it) { return fmt::format("group {} has its offsets expire", it.group); }
std::string words(const fetch_session_kept& it) {
    std::string places;
    for (const auto& one : it.places) {
        places += fmt::format("{}{}@{}", places.empty() ? "" : ",", name(one.log), one.fetch_offset);
    }
    return fmt::format("broker {} keeps session {} epoch {} [{}]", it.broker.value(), it.session_id, it.next_epoch,
                       places);
}

// ---- the core
std::string words(const consumer_started& it) { return fmt::format("starts, application {}", it.application); }
std::string words(const turn_asked&) { return "is asked for a turn"; }
std::string words(const turn_begun& it) {
    return fmt::format("turn {} begins: {} inputs, kinds {:#x}, {} bytes in use", it.number, it.count, it.inputs,
                       it.bytes_in_use);
}
std::string words(const turn_decided& it) {
    auto text = fmt::format("turn {} decides: version {} parks until {} member {} epoch {} {}{}{}{}", it.number,
                            it.version, since_start(it.park_until), it.member_id, it.member_epoch, it.member_state,
                            it.awaits_space ? " awaits space" : "", it.turn_again ? " again" : "",
                            it.stopped ? " stopped" : "");
    if (!it.assignment) return text;
    text += " assigned [";
    for (const auto& one : *it.assignment) {
        text += fmt::format("{}{}@{}{}{}{}", text.back() == '[' ? "" : ",", name(one.log), one.position.value_or(-1),
                            one.paused ? " paused" : "", one.fenced ? " fenced" : "", one.failed ? " failed" : "");
    }
    return text + "]";
}
std::string words(const request_sent& it) {
    return fmt::format("request {} api {} v{} to broker {} expires {}", it.id.value(), static_cast<int>(it.api),
                       it.api_version, it.broker.value(), since_start(it.expires_at));
}
std::string words(const request_ended& it) { return fmt::format("request {} {}", it.id.value(), word(ends, it.what)); }
std::string words(const fact_handled& it) {
    return fmt::format("fact {} kind {}{}{}", it.sequence, it.kind, it.holds ? "" : " is old",
                       it.changed ? " changes" : "");
}
std::string words(const contract_broken& it) { return fmt::format("CONTRACT BROKEN: {}", it.what); }
std::string words(const steps_walked& it) {
    std::string text = "walks";
    for (const auto& one : it.steps) text += fmt::format("{}{}", text.size() == 5 ? " " : ", ", to_string(one));
    return text;
}
std::string words(const slot_updated& it) {
    return fmt::format("slot {} {} era {}{}{}{}{}", it.slot.value(), name(it.log), it.era.value(),
                       it.assigned ? "" : " given up", it.paused ? " paused" : "", it.fenced ? " fenced" : "",
                       it.callback_pending ? " callback pending" : "");
}
std::string words(const data_given_back& it) {
    return fmt::format("gives back {} era {} from {} on", name(it.log), it.era.value(), it.from);
}
std::string words(const fetch_delivered& it) {
    return fmt::format("delivers {} era {} [{}, {}) {} bytes{}", name(it.log), it.era.value(), it.from, it.to, it.bytes,
                       it.failed ? " failed" : "");
}
std::string words(const notice_given& it) {
    return fmt::format("notice {} {} {}{}", it.id.value(), word(notices, it.what), names(it.which),
                       failure_in_words(it.reason));
}
std::string words(const completion_given& it) {
    return fmt::format("completes {}{}", it.token.value(), failure_in_words(it.failure));
}
std::string words(const effect_seen& it) {
    return fmt::format("effect {} at version {}", word(effects, it.what), it.visible_version);
}

// ---- the application
std::string words(const call_begun& it) {
    return fmt::format("call {} {} begins, until {} {} {}{}", it.call.value(), to_string(it.what),
                       since_start(it.deadline), names(it.which), offsets_in_words(it.offsets),
                       it.in_callback ? " in a callback" : "");
}
std::string words(const call_ended& it) {
    auto text = fmt::format("call {} {} ends{}", it.call.value(), to_string(it.what), failure_in_words(it.failure));
    if (it.value) text += fmt::format(" with {}", *it.value);
    for (const auto& one : it.undone) text += fmt::format("; undone: {}", one);
    return text;
}
std::string words(const wakeup_called&) { return "wakeup()"; }
std::string words(const parked& it) { return fmt::format("call {} parks on {}", it.call.value(), it.version); }
std::string words(const woken& it) {
    constexpr std::array<std::string_view, 3> reasons{"something visible", "its end", "its deadline"};
    return fmt::format("call {} is woken by {} at {}", it.call.value(), word(reasons, it.why), it.version);
}
std::string words(const looked& it) { return fmt::format("call {} looks: {}", it.call.value(), word(finds, it.what)); }
std::string words(const poll_returned& it) {
    std::string text = fmt::format("call {} poll returns", it.call.value());
    for (const auto& one : it.pieces) {
        text += fmt::format(" {} era {} [{}, {})", name(one.log), one.era.value(), one.from, one.to);
    }
    return text;
}
std::string words(const records_seen& it) {
    if (it.records.empty()) return {};
    return fmt::format("reads {} era {} {} records from {} to {}, content {}", name(it.log), it.era.value(),
                       it.records.size(), it.records.front().offset, it.records.back().offset,
                       it.records.front().content);
}
std::string words(const processed& it) {
    return fmt::format("processed {} era {} below {}{}", name(it.log), it.era.value(), it.next,
                       it.released ? " as released" : "");
}
std::string words(const iteration_failed& it) {
    return fmt::format("iteration of {} fails at {}: {}", name(it.log), it.offset, it.reason.message());
}
std::string words(const callback_begun& it) {
    return fmt::format("callback {} {} begins {}", it.id.value(), word(notices, it.what), names(it.which));
}
std::string words(const callback_ended& it) {
    return fmt::format("callback {} {}", it.id.value(), it.threw ? "throws" : "ends");
}
std::string words(const reactor_failed& it) { return fmt::format("has no reactor any more: {}", it.why); }
std::string words(const crashed&) { return "crashes"; }
std::string words(const consumer_gone& it) {
    return fmt::format("is gone: {} connections, {} operations, {} timers, {} bytes, {} names left", it.connections,
                       it.operations, it.timers, it.bytes, it.names);
}
std::string words(const fault_applied& it) { return fmt::format("FAULT {}: {}", it.id, it.words); }
std::string words(const fault_healed& it) { return fmt::format("fault {} is over", it.id); }
std::string words(const all_healed&) { return "everything is well from here on"; }

}  // namespace

std::string to_string(const observation& seen) {
    const auto what = std::visit([](const auto& it) { return words(it); }, seen.what);
    if (seen.consumer == nobody) return fmt::format("{} {}", since_start(seen.at), what);
    return fmt::format("{} consumer-{} {}", since_start(seen.at), seen.consumer.value(), what);
}

void trace::on(const observation& seen) {
    const auto line = to_string(seen);
    ++count_;
    for (const char each : line) checksum_ = (checksum_ ^ static_cast<unsigned char>(each)) * 0x100000001b3U;
    checksum_ = (checksum_ ^ static_cast<unsigned char>('\n')) * 0x100000001b3U;
    if (lines_) lines_(line);
}

}  // namespace strandline::testkit::sim
