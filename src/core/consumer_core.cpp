#include "core/consumer_core.hpp"

#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include "core/cluster/metadata_manager.hpp"
#include "core/connection/connection_manager.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/fact_ledger.hpp"
#include "core/fetch/fetch_manager.hpp"
#include "core/group/consumer/membership_manager.hpp"
#include "core/group/coordinator_manager.hpp"
#include "core/kernel/agenda.hpp"
#include "core/lifecycle/lifecycle_manager.hpp"
#include "core/offsets/commit_manager.hpp"
#include "core/offsets/offset_lookup_manager.hpp"
#include "core/offsets/position_manager.hpp"
#include "core/routing.hpp"
#include "core/snapshot_press.hpp"
#include "core/turn_audit.hpp"
#include "core/turn_recorder.hpp"

namespace strandline::core {

namespace manager = exchange::manager;

namespace {

// Debug builds ask everybody in every turn, and insist on it that nobody would have answered otherwise than published.
#ifdef NDEBUG
constexpr bool always_audits_answers = false;
#else
constexpr bool always_audits_answers = true;
#endif

// By contract_clause.
using fault_counts = std::array<std::uint64_t, contract_clauses>;

}  // namespace

struct consumer_core::parts {
    parts(const boundary::core_config& config, base::random_source& random,
          std::shared_ptr<base::memory_account> frames)
        : context{config, random, ids, facts, views},
          cluster(exchange::view::cluster, views),
          lifecycle(context),
          connection(context, cluster),
          metadata(context, cluster, connection.view_source()),
          coordinator(context, connection.view_source(), lifecycle.view_source()),
          membership(context, coordinator.view_source(), connection.view_source(), cluster, lifecycle.view_source()),
          position(context, connection.view_source(), cluster),
          commit(context, coordinator.view_source(), connection.view_source(), membership.view_source(),
                 position.view_source(), lifecycle.view_source(), cluster),
          offset_lookup(context, connection.view_source(), cluster),
          fetch(context, position.view_source(), connection.view_source(), cluster, lifecycle.view_source()),
          agenda(manager::count, views),
          audit({cluster, connection.view_source(), coordinator.view_source(), membership.view_source(),
                 position.view_source(), lifecycle.view_source()}) {
        connection.set_account(std::move(frames));
        for (const auto& one : exchange::owned_views) views.declare_owner(one.view, one.owner);
        agenda.set_audited(always_audits_answers);
    }

    exchange::id_source ids;
    fact_ledger facts;
    kernel::view_log views;
    exchange::manager_context context;
    // Written by the metadata manager alone. It stands here because connections and metadata read each other's view.
    kernel::versioned<exchange::cluster_view> cluster;

    lifecycle::lifecycle_manager lifecycle;
    connection::connection_manager connection;
    cluster::metadata_manager metadata;
    group::coordinator_manager coordinator;
    group::consumer::membership_manager membership;
    offsets::position_manager position;
    offsets::commit_manager commit;
    offsets::offset_lookup_manager offset_lookup;
    fetch::fetch_manager fetch;

    kernel::agenda agenda;

    // Somebody who looks on, and what that takes.
    turn_probe* probe = nullptr;
    turn_audit audit;
    bool is_audited = false;  // this turn
    std::uint64_t turns = 0;
    fault_counts told_faults{};

    // Reports of this turn's plans; they are inputs of the next.
    std::vector<std::pair<kernel::manager_index, exchange::stage_finished>> finished;
    turn_effects effects;
    snapshot_press press;
    turn_recorder recorder;

    template <kernel::manager_index Index>
    auto& at() noexcept {
        // In the declared order of exchange::manager.
        return std::get<Index>(
            std::tie(lifecycle, metadata, coordinator, membership, commit, position, offset_lookup, fetch, connection));
    }

    template <class Function>
    void with(kernel::manager_index index, Function&& function) {
        [&]<std::size_t... Index>(std::index_sequence<Index...>) {
            static_cast<void>(((index == Index && (work<Index>(function), true)) || ...));
        }(std::make_index_sequence<manager::count>{});
    }

    // Everything that may change a manager's state happens in here, so that it is known whose work it was.
    template <kernel::manager_index Index, class Function>
    void work(Function&& function) {
        const auto before = views.at_work();
        views.enter(Index);
        function(at<Index>());
        if (before) {
            views.enter(*before);
        } else {
            views.leave();
        }
        if (is_audited) audit.after(Index);
    }

    // ---- Apply
    void apply(turn_inputs inputs, exchange::turn_time time);
    void apply_time(exchange::turn_time time);
    void apply(const boundary::submitted_command& submitted, exchange::turn_time time);
    void apply_responses(exchange::turn_time time);
    void drain_facts(exchange::turn_time time);

    // ---- Looking on
    fault_counts faults() const noexcept {
        return {agenda.missing_edges(), agenda.runaways(), facts.strays(), views.foreign_writes(), 0,
                agenda.stale_answers()};
    }
    std::string fault_words(contract_clause clause) const;
    void tell_faults();

    // ---- Plan
    exchange::plan plan_of(kernel::manager_index index, exchange::turn_time time);
    boundary::awaited_space awaited_space() const noexcept;
    void put_out(kernel::manager_index from, exchange::output output, exchange::turn_time time);

    // ---- Publish
    boundary::snapshot_ref print(base::instant now);
};

void consumer_core::parts::drain_facts(exchange::turn_time time) {
    facts.drain([&](exchange::fact fact) {
        std::visit(
            [&]<class Fact>(const Fact& what) {
                constexpr auto owner = routing::owner<Fact>;
                const bool holds = !is_audited || audit.holds(fact);
                const auto before = is_audited ? audit.fingerprint_of(owner) : 0;
                work<owner>([&](auto& one) { one.on_fact(what, time); });
                agenda.touch(owner);
                if (probe) {
                    probe->on_fact(facts.handled(), fact, holds, is_audited && audit.fingerprint_of(owner) != before);
                }
            },
            fact);
    });
}

void consumer_core::parts::apply_time(exchange::turn_time time) {
    work<manager::lifecycle>([&](auto& one) { one.on_time(time); });
    work<manager::connection>([&](auto& one) { one.on_time(time); });
    work<manager::metadata>([&](auto& one) { one.on_time(time); });
    drain_facts(time);
}

// Answers go to whoever asked. Handling one may end connections, and so make more of them.
void consumer_core::parts::apply_responses(exchange::turn_time time) {
    for (auto responses = connection.take_responses(); !responses.empty(); responses = connection.take_responses()) {
        for (const auto& response : responses) {
            if (probe) probe->on_response(response);
            recorder.arrived(response);
            with(response.owner, [&](auto& owner) {
                if constexpr (requires { owner.on_response(response, time); }) owner.on_response(response, time);
            });
            agenda.touch(response.owner);
            drain_facts(time);
        }
    }
}

void consumer_core::parts::apply(const boundary::submitted_command& submitted, exchange::turn_time time) {
    if (const auto* cancel = std::get_if<boundary::command::cancel>(&submitted.what)) {
        for (kernel::manager_index index = 0; index < manager::count; ++index) {
            with(index, [&](auto& one) {
                if constexpr (requires { one.on_cancel(cancel->which, time); }) one.on_cancel(cancel->which, time);
            });
            agenda.touch(index);
        }
    } else {
        std::visit(
            [&]<class Command>(const Command& what) {
                if constexpr (!std::is_same_v<Command, boundary::command::cancel>) {
                    // Assigning by hand leaves an earlier subscription before the partitions change.
                    if constexpr (std::is_same_v<Command, boundary::command::assign>) {
                        work<manager::membership>(
                            [&](auto& one) { one.on_command(what, submitted.token, submitted.deadline, time); });
                        agenda.touch(manager::membership);
                        drain_facts(time);
                    }
                    constexpr auto owner = routing::owner<Command>;
                    work<owner>([&](auto& one) { one.on_command(what, submitted.token, submitted.deadline, time); });
                    agenda.touch(owner);
                }
            },
            submitted.what);
    }
    drain_facts(time);
}

void consumer_core::parts::apply(turn_inputs inputs, exchange::turn_time time) {
    apply_time(time);
    for (const auto& stage : std::exchange(finished, {})) {
        work<manager::lifecycle>([&](auto& one) { one.on_stage_finished(stage.first, stage.second, time); });
        agenda.touch(manager::lifecycle);
    }
    // Before any answer that was asked for from where the position is no more.
    for (const auto& drained : inputs.drained) {
        if (drained.given_back_from < 0) continue;
        work<manager::position>([&](auto& one) { one.on_given_back(drained, time); });
        agenda.touch(manager::position);
        drain_facts(time);
    }
    work<manager::connection>([&](auto& one) {
        for (const auto& event : inputs.network) one.on_network(event, time);
        one.digest_received(time);
    });
    drain_facts(time);
    apply_responses(time);

    if (inputs.progress) {
        work<manager::position>([&](auto& one) { one.on_checkpoint(*inputs.progress, time); });
        work<manager::membership>([&](auto& one) { one.on_checkpoint(*inputs.progress, time); });
        for (const auto index : {manager::position, manager::membership}) agenda.touch(index);
        drain_facts(time);
    }
    for (const auto& met : inputs.fences) {
        work<manager::position>([&](auto& one) { one.on_fence_acknowledged(met, time); });
        agenda.touch(manager::position);
        drain_facts(time);
    }
    work<manager::fetch>([&](auto& one) {
        for (const auto& drained : inputs.drained) one.on_buffer_drained(drained, time);
        one.on_space(inputs.bytes_in_use, time);
    });
    if (!inputs.drained.empty() || agenda.awaits(kernel::input_kind::space)) agenda.touch(manager::fetch);

    for (const auto& submitted : inputs.commands) apply(submitted, time);

    // What came due, and what the views say by now. A turn at the instant of the last one may bring what that one put
    // off to a later instant.
    work<manager::position>([&](auto& one) {
        if (one.on_turn(time)) agenda.touch(manager::position);
    });
    drain_facts(time);
    work<manager::commit>([&](auto& one) {
        if (one.on_turn(time)) agenda.touch(manager::commit);
    });
    drain_facts(time);
    work<manager::membership>([&](auto& one) { one.on_turn(time); });
    agenda.touch(manager::membership);
    drain_facts(time);
    apply_responses(time);
    agenda.touch(manager::connection);
}

exchange::plan consumer_core::parts::plan_of(kernel::manager_index index, exchange::turn_time time) {
    std::optional<exchange::plan> answer;
    with(index, [&](auto& one) { answer.emplace(one.plan(time)); });
    if (probe) probe->on_answer(index, *answer);
    recorder.answered(index, *answer);
    return std::move(*answer);
}

boundary::awaited_space consumer_core::parts::awaited_space() const noexcept {
    if (agenda.awaits(kernel::input_kind::space)) return boundary::awaited_space::memory;
    if (agenda.awaits(kernel::input_kind::queue_space)) return boundary::awaited_space::queue;
    return boundary::awaited_space::none;
}

void consumer_core::parts::put_out(kernel::manager_index from, exchange::output output, exchange::turn_time time) {
    if (probe) probe->on_output(from, output);
    recorder.put_out(output);
    std::visit(
        [&]<class Output>(Output& what) {
            if constexpr (std::is_same_v<Output, exchange::outbound_request>) {
                work<manager::connection>([&](auto& one) { one.send(std::move(what), time); });
                agenda.touch(manager::connection);
            } else if constexpr (std::is_same_v<Output, exchange::connection_wanted>) {
                work<manager::connection>([&](auto& one) { one.want(what, time); });
                agenda.touch(manager::connection);
            } else if constexpr (std::is_same_v<Output, exchange::stage_finished>) {
                finished.emplace_back(from, std::move(what));
            } else if constexpr (std::is_same_v<Output, boundary::completion>) {
                effects.completions.push_back(std::move(what));
            } else if constexpr (std::is_same_v<Output, boundary::notice>) {
                press.note(what);
                effects.notices.push_back(std::move(what));
            } else {
                if constexpr (std::is_same_v<Output, boundary::completed_fetch>) press.note_records(time.now);
                effects.deliveries.emplace_back(std::move(what));
            }
        },
        output);
}

std::string consumer_core::parts::fault_words(contract_clause clause) const {
    switch (clause) {
        case contract_clause::stray_fact: return facts.newest_stray();
        case contract_clause::foreign_write:
        case contract_clause::unversioned_write: return views.newest_foreign_write();
        case contract_clause::missing_edge:
        case contract_clause::runaway:
        case contract_clause::stale_answer: break;
    }
    return agenda.newest_fault();
}

// Each clause that was broken in this turn once.
void consumer_core::parts::tell_faults() {
    const auto counts = faults();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto clause = static_cast<contract_clause>(i);
        if (counts[i] != told_faults[i]) probe->on_broken(clause, fault_words(clause));
    }
    told_faults = counts;
    for (const auto& breach : audit.take_breaches()) probe->on_broken(breach.clause, breach.what);
}

boundary::snapshot_ref consumer_core::parts::print(base::instant now) {
    press.set_pages(position.pages());
    press.set_member({.id = membership.member_id(),
                      .epoch = membership.view_source().get().epoch,
                      .state = membership.state_name(),
                      .standing = membership.standing(),
                      .coordinator = coordinator.view_source().get().broker,
                      .rejoins = membership.rejoins(),
                      .was_absent = membership.application_was_absent(),
                      .by_hand = position.view_source().get().by_hand});
    press.set_subscription(membership.subscribed_topics(), membership.subscribed_pattern(),
                           membership.unmatched_topics());
    press.set_network(connection.picture(cluster.get().answers > 0));
    press.set_cluster(metadata.troubles());
    const auto& record = recorder.end(effects, press.next_version());
    return press.print({.made_at = now,
                        .waits = agenda.waits(),
                        .fatal = lifecycle.fatal(),
                        .fatal_answer = lifecycle.fatal_answer(),
                        .checkpoint_wanted = membership.checkpoint_wanted(),
                        .progress_wanted = commit.progress_wanted(),
                        .stopped = lifecycle.stopped()},
                       record);
}

consumer_core::consumer_core(const boundary::core_config& config, base::random_source& random,
                             std::shared_ptr<base::memory_account> frames)
    : parts_(std::make_unique<parts>(config, random, std::move(frames))) {}

consumer_core::~consumer_core() = default;

std::span<std::byte> consumer_core::receive_room(connection::connection_id id) {
    return parts_->connection.receive_room(id);
}

std::size_t consumer_core::bytes_missing(connection::connection_id id) { return parts_->connection.bytes_missing(id); }

bool consumer_core::received(connection::connection_id id, std::size_t bytes) {
    return parts_->connection.received(id, bytes);
}

decision consumer_core::turn(turn_inputs inputs, base::instant now, base::wall_time wall) {
    auto& all = *parts_;
    const exchange::turn_time time{now, wall};
    ++all.turns;
    if (all.probe) {
        all.is_audited = all.probe->wants_audit(all.turns);
        if (all.is_audited) all.audit.begin();
        all.probe->on_begun(all.turns, inputs, now);
    }
    all.recorder.begin(inputs, now);
    all.apply(std::move(inputs), time);
    all.agenda.run(
        now, [&](kernel::manager_index index) { return all.plan_of(index, time); },
        [&](kernel::manager_index from, exchange::output output) { all.put_out(from, std::move(output), time); });

    decision made;
    made.park_until = all.agenda.bound().value();
    made.space = all.awaited_space();
    made.turn_again = all.connection.turn_wanted() || !all.finished.empty();
    if (all.lifecycle.stopped()) {
        all.work<manager::connection>([&](auto& one) { one.close_all(time); });
        made.turn_again = false;
    }
    all.effects.orders = all.connection.take_orders();
    made.snapshot = all.print(now);
    if (all.probe) {
        all.tell_faults();
        all.probe->on_walked({all.membership.walked(), all.position.walked(), all.connection.walked(),
                              all.lifecycle.walked(), all.facts.walked()});
        all.probe->on_decided(all.turns, made);
    }
    return made;
}

turn_effects consumer_core::take_effects() { return std::exchange(parts_->effects, {}); }

void consumer_core::look_on(turn_probe* probe) noexcept {
    parts_->probe = probe;
    parts_->is_audited = false;
    parts_->agenda.set_audited(always_audits_answers || probe != nullptr);
}

bool consumer_core::stopped() const noexcept { return parts_->lifecycle.stopped(); }
std::uint64_t consumer_core::faults() const noexcept {
    std::uint64_t sum = 0;
    for (const auto count : parts_->faults()) sum += count;
    return sum;
}
std::string consumer_core::newest_fault() const {
    const auto counts = parts_->faults();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) return parts_->fault_words(static_cast<contract_clause>(i));
    }
    return {};
}

}  // namespace strandline::core
