#include "testkit/simulator/checkers/core_witness.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "testkit/simulator/allocation_countdown.hpp"
#include "testkit/simulator/checkers/wire_content.hpp"

namespace strandline::testkit::sim {

namespace boundary = core::boundary;
namespace exchange = core::exchange;

log_id core_witness::log_of(const boundary::partition_ref& partition) const {
    if (!partition) return no_log;
    return partition->topic_id.is_zero() ? directory_.find(partition->name.topic, partition->name.partition)
                                         : directory_.find(partition->topic_id, partition->name.partition);
}

std::vector<log_id> core_witness::logs_of(const partitions& which) const {
    std::vector<log_id> logs;
    logs.reserve(which.size());
    for (const auto& partition : which) logs.push_back(directory_.find(partition.topic, partition.partition));
    return logs;
}

void core_witness::on_begun(std::uint64_t turn, const core::turn_inputs& inputs, base::instant now) {
    const uncounted_allocations ours;
    now_ = now;
    turn_ = turn;
    effects_.clear();
    observed::turn_begun begun;
    begun.number = turn;
    begun.bytes_in_use = inputs.bytes_in_use;
    const auto note = [&](observed::input kind, std::size_t count) {
        if (count == 0) return;
        begun.inputs |= observed::bit(kind);
        begun.count += static_cast<std::uint32_t>(count);
    };
    note(observed::input::network, inputs.network.size());
    note(observed::input::command, inputs.commands.size());
    note(observed::input::checkpoint, inputs.progress ? 1 : 0);
    note(observed::input::fence, inputs.fences.size());
    note(observed::input::drained, inputs.drained.size());
    note(observed::input::timer, park_until_ <= now ? 1 : 0);
    note(observed::input::again, turn_again_ ? 1 : 0);
    // What connections have read lies with them: it shows by there being nothing else to turn for.
    if (begun.inputs == 0) note(observed::input::network, 1);
    tell(begun);
    for (const auto& drained : inputs.drained) {
        if (drained.given_back_from < 0) continue;
        tell(observed::data_given_back{no_log, drained.slot, drained.era, drained.given_back_from});
    }
}

void core_witness::on_response(const exchange::response& response) {
    const uncounted_allocations ours;
    using how = observed::request_ended::how;
    observed::request_ended ended;
    ended.id = response.id;
    ended.owner = response.owner;
    const auto request = in_flight_.take(response.id);
    if (response.body) {
        ended.what = how::answered;
        if (request) {
            ended.content = answer_of(request->api, response.version, *response.body, directory_);
        }
    } else {
        using failed = exchange::request_failure::kind;
        switch (response.body.error().what) {
            case failed::disconnected: ended.what = how::disconnected; break;
            case failed::expired: ended.what = how::expired; break;
            case failed::not_ready: ended.what = how::not_ready; break;
            case failed::unencodable: ended.what = how::unencodable; break;
            case failed::malformed: ended.what = how::malformed; break;
        }
    }
    tell(std::move(ended));
}

void core_witness::on_fact(std::uint64_t sequence, const exchange::fact& fact, bool holds, bool changed) {
    const uncounted_allocations ours;
    tell(observed::fact_handled{sequence, static_cast<std::uint8_t>(fact.index()), holds, changed});
}

void core_witness::on_answer(core::kernel::manager_index, const exchange::plan& answer) {
    ++answers_;
    if (answer.is_progress()) ++progresses_;
}

void core_witness::tell_request(const exchange::outbound_request& request) {
    in_flight_[request.id] = {request.body.key()};
    observed::request_sent sent;
    sent.id = request.id;
    sent.owner = request.owner;
    sent.operation = request.operation;
    sent.broker = request.broker;
    sent.role = request.role;
    sent.api = request.body.key();
    sent.api_version = request.version;
    sent.expires_at = request.expires_at;
    sent.turn = turn_;
    sent.content = content_of(request.body, directory_);
    tell(std::move(sent));
}

namespace {

observed::notice_given::kind kind_of(boundary::callback_wanted::kind what) {
    switch (what) {
        case boundary::callback_wanted::kind::assigned: return observed::notice_given::kind::assigned;
        case boundary::callback_wanted::kind::revoked: return observed::notice_given::kind::revoked;
        case boundary::callback_wanted::kind::lost: return observed::notice_given::kind::lost;
    }
    return observed::notice_given::kind::error;
}

}  // namespace

void core_witness::on_output(core::kernel::manager_index, const exchange::output& output) {
    const uncounted_allocations ours;
    if (const auto* request = std::get_if<exchange::outbound_request>(&output)) {
        tell_request(*request);
    } else if (const auto* done = std::get_if<boundary::completion>(&output)) {
        effects_.emplace_back(observed::completion_given{
            done->token, done->outcome ? std::nullopt : std::optional(done->outcome.error())});
    } else if (const auto* updates = std::get_if<boundary::slot_updates>(&output)) {
        for (const auto& update : updates->which) {
            effects_.emplace_back(observed::slot_updated{log_of(update.partition), update.slot, update.era,
                                                         update.assigned, update.paused, update.fenced,
                                                         update.callback_pending});
        }
    } else if (const auto* data = std::get_if<boundary::completed_fetch>(&output)) {
        effects_.emplace_back(observed::fetch_delivered{log_of(data->partition), data->slot, data->era,
                                                        data->from_offset, data->next_offset, data->batches.size(),
                                                        data->failure.has_value()});
    } else if (const auto* notice = std::get_if<boundary::notice>(&output)) {
        observed::notice_given given;
        if (const auto* wanted = std::get_if<boundary::callback_wanted>(notice)) {
            given.what = kind_of(wanted->what);
            given.id = wanted->id;
            given.supersedes = wanted->supersedes;
            given.which = logs_of(wanted->which);
        } else if (const auto* raised = std::get_if<boundary::error_raised>(notice)) {
            given.reason = raised->reason;
        } else {
            return;  // that a position was reset is shown by the position
        }
        effects_.emplace_back(std::move(given));
    }
}

void core_witness::on_broken(core::contract_clause clause, const std::string& what) {
    const uncounted_allocations ours;
    tell(observed::contract_broken{static_cast<observed::contract_broken::clause>(clause), what});
}

void core_witness::on_walked(const core::walked_tables& so_far) {
    const uncounted_allocations ours;
    // In the order of table_id.
    const std::array<const core::kernel::walked_steps*, table_count> now{
        &so_far.member, &so_far.partitions, &so_far.connections, &so_far.close, &so_far.facts};
    observed::steps_walked told;
    for (std::size_t i = 0; i < table_count; ++i) {
        auto& before = walked_[i];
        if (now[i]->distinct() == before.distinct()) continue;
        for (std::size_t from = 0; from < now[i]->states_at_most; ++from) {
            for (std::size_t to = 0; to < now[i]->states_at_most; ++to) {
                if (!now[i]->has(from, to) || before.has(from, to)) continue;
                told.steps.push_back(
                    {static_cast<table_id>(i), static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to)});
            }
        }
        before = *now[i];
    }
    if (!told.steps.empty()) tell(std::move(told));
}

std::shared_ptr<const std::vector<observed::turn_decided::place>> core_witness::assignment_of(
    const boundary::snapshot& shown) {
    if (shown_ == shown.pages) return nullptr;
    shown_ = shown.pages;
    auto places = std::make_shared<std::vector<observed::turn_decided::place>>();
    for (const auto& page : *shown.pages) {
        for (const auto& one : page->partitions) {
            observed::turn_decided::place place;
            place.log = log_of(one.partition);
            place.slot = one.slot;
            place.era = one.era;
            if (one.position) place.position = one.position->offset;
            place.paused = one.paused;
            place.fenced = one.fenced;
            place.failed = one.failure.has_value();
            places->push_back(place);
        }
    }
    return places;
}

observed::coordinator_reach core_witness::reach_of(const boundary::snapshot& shown) const {
    using reach = observed::coordinator_reach;
    const auto coordinator = shown.member->coordinator;
    if (coordinator == protocol::no_broker) {
        const bool searched = std::any_of(in_flight_.begin(), in_flight_.end(), [](const auto& entry) {
            return entry.second.api == protocol::api_key::find_coordinator;
        });
        return searched ? reach::searched : reach::unknown;
    }
    const auto& brokers = shown.network->brokers;
    const auto known =
        std::find_if(brokers.begin(), brokers.end(), [&](const auto& broker) { return broker->broker == coordinator; });
    if (known == brokers.end()) return reach::unconnected;
    const auto& connection = (*known)->connections[static_cast<std::size_t>(exchange::connection_role::group)];
    if (connection.ready) return reach::ready;
    if (connection.wanted) return reach::connecting;
    return (*known)->backs_off_until > now_ ? reach::backing_off : reach::unconnected;
}

void core_witness::on_decided(std::uint64_t turn, const core::decision& made) {
    const uncounted_allocations ours;
    park_until_ = made.park_until;
    turn_again_ = made.turn_again;
    const auto& shown = *made.snapshot;
    observed::turn_decided decided;
    decided.number = turn;
    decided.version = shown.version;
    decided.park_until = made.park_until;
    decided.awaits_space = made.space != core::boundary::awaited_space::none;
    decided.turn_again = made.turn_again;
    decided.checkpoint_wanted = shown.checkpoint_wanted;
    decided.progress_wanted = shown.progress_wanted;
    decided.stopped = shown.stopped;
    decided.answers = std::exchange(answers_, 0);
    decided.progresses = std::exchange(progresses_, 0);
    decided.waits = {made.snapshot, &shown.waits};
    decided.member_id = shown.member->member_id;
    decided.member_epoch = shown.member->member_epoch;
    decided.member_state = shown.member->state;
    decided.coordinator = reach_of(shown);
    decided.assignment = assignment_of(shown);
    tell(std::move(decided));
    // Who hears of them makes no new ones.
    for (auto& effect : effects_) tell(std::move(effect));
    effects_.clear();
}

}  // namespace strandline::testkit::sim
