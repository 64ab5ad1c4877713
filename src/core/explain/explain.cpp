// Which cause comes first, and what else holds at the same time.
#include "core/boundary/explain.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/boundary/call_names.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/wait_reason.hpp"
#include "core/explain/chain_builder.hpp"
#include "core/explain/partition_chains.hpp"
#include "core/explain/survey.hpp"
#include "core/explain/wait_words.hpp"

namespace strandline::core::explain {

namespace {

namespace manager_of = exchange::manager;
using exchange::wait_reason;
using protocol::broker_error;

// Others that hold at the same time are told up to this many.
constexpr std::size_t most_told = 4;

class explaining {
public:
    explicit explaining(const situation& at)
        : at_(at), published_(at.published), application_(at.application), partitions_(look_at_partitions(at)) {}

    explanation run() {
        find_causes();
        if (chains_.empty()) add([](chain_builder& chain) { chain.blame(wait_cause::other, "nothing is known yet"); });
        explanation made;
        made.first = std::move(chains_.front());
        made.also.assign(std::make_move_iterator(chains_.begin() + 1), std::make_move_iterator(chains_.end()));
        made.cause = made.first.cause;
        made.summary = std::move(headlines_.front());
        made.contacted = published_.network->contacted;
        made.network_trouble = network_trouble();
        made.unknown_topics = published_.subscription->unmatched_topics;
        made.remarks = remarks(made);
        return made;
    }

private:
    // A chain that `build` makes; dropped if it finds no cause, or one that is told already.
    template <class Build>
    void add(Build&& build) {
        if (chains_.size() > most_told) return;
        chain_builder chain(at_);
        build(chain);
        if (chain.headline().empty()) return;
        const auto same = [&](const std::string& one) { return one == chain.headline(); };
        if (std::any_of(headlines_.begin(), headlines_.end(), same)) return;
        headlines_.push_back(chain.headline());
        chains_.push_back(chain.take());
    }

    wait_reason reason_of(kernel::manager_index manager) const {
        const auto* const wait = at_.wait_of(manager);
        return wait ? static_cast<wait_reason>(wait->why.code) : wait_reason::nothing_to_do;
    }
    bool polls() const { return application_.call && application_.call->name == boundary::call_name::poll; }

    // ---- in the order in which they exclude what follows
    void find_causes() {
        if (application_.closed || published_.stopped) return add([](auto& chain) { closed(chain); });
        if (published_.fatal) return add([this](auto& chain) { fatal(chain); });
        if (application_.inner) add([this](auto& chain) { call_waits(chain, *application_.inner); });
        if (application_.callback) add([this](auto& chain) { callback_runs(chain); });
        if (reason_of(manager_of::lifecycle) == wait_reason::closing)
            return add([this](auto& chain) { closing(chain); });
        if (application_.call && !polls()) {
            add([this](auto& chain) { call_waits(chain, *application_.call); });
            if (!chains_.empty()) return;
        }
        if (partitions_.assigned == 0) return nothing_assigned();
        partitions();
        if (published_.member->rejoins) nothing_assigned();
    }

    static void closed(chain_builder& chain) {
        chain.application("the consumer has been closed", "");
        chain.blame(wait_cause::closed, "the consumer has been closed");
    }

    void fatal(chain_builder& chain) {
        const auto& why = *published_.fatal;
        const auto is = [&](broker_error code) { return published_.fatal_answer == code; };
        auto cause = wait_cause::refused_for_good;
        if (is(broker_error::unreleased_instance_id) || is(broker_error::fenced_instance_id)) {
            cause = wait_cause::instance_id_in_use;
        } else if (is(broker_error::group_authorization_failed) || is(broker_error::topic_authorization_failed)) {
            cause = wait_cause::not_authorized;
        }
        chain.poll(awaited());
        chain.application("this consumer is refused for good: " + why.message(), "closing it");
        chain.because_of(why);
        chain.blame(cause, "will not recover: " + why.message());
    }

    void callback_runs(chain_builder& chain) {
        const auto& callback = *application_.callback;
        if (application_.call) {
            chain.step({.who = application_.call->name,
                        .text = fmt::format("{} waits for its callback", application_.call->name),
                        .ends_with = "the callback's return",
                        .age = {},
                        .ends_in = {}});
        }
        const auto text =
            fmt::format("callback {} has been running for {}", callback.name, seconds(at_.now - callback.since));
        chain.application(text, "the callback's return", callback.since);
        chain.blame(wait_cause::callback_running, text);
    }

    void closing(chain_builder& chain) { chain.follow(manager_of::lifecycle); }

    // ---- a call other than poll
    void call_waits(chain_builder& chain, const boundary::application_view::doing& call) {
        const auto manager = manager_behind(call.name);
        if (!manager) return;
        const auto text = fmt::format("{} waits {}", call.name, seconds(at_.now - call.since));
        chain.step({.who = call.name, .text = text, .ends_with = "its answer", .age = {}, .ends_in = {}});
        chain.follow(*manager);
        if (!chain.has_cause()) chain.blame(wait_cause::answer_awaited, text);
    }
    static std::optional<kernel::manager_index> manager_behind(std::string_view call) {
        using namespace boundary::call_name;
        if (call == commit || call == committed) return manager_of::commit;
        if (call == position) return manager_of::position;
        if (call == unsubscribe) return manager_of::membership;
        if (call == partitions_for || call == list_topics) return manager_of::metadata;
        if (call == offsets_for_times || call == beginning_offsets || call == end_offsets) {
            return manager_of::offset_lookup;
        }
        return std::nullopt;
    }

    // ---- no partition
    void nothing_assigned() {
        const auto& subscription = *published_.subscription;
        const auto& member = *published_.member;
        if (subscription.topics.empty() && subscription.pattern.empty() && partitions_.assigned == 0) {
            return add([](auto& chain) {
                chain.application("nothing is subscribed to or assigned", "subscribe() or assign()");
                chain.blame(wait_cause::not_subscribed, "nothing is subscribed to or assigned");
            });
        }
        if (member.was_absent) return add([this](auto& chain) { was_absent(chain); });
        if (member.standing == boundary::member_standing::settled) {
            tell_topics();
            add([this](auto& chain) { owns_nothing(chain); });
        } else {
            add([this](auto& chain) { joins(chain); });
            tell_topics();
        }
    }

    void was_absent(chain_builder& chain) const {
        const std::string text =
            "the member left the group: max.poll.interval.ms passed without a poll; it joins again with the next one";
        chain.poll(awaited());
        chain.application("the application did not poll for max.poll.interval.ms", "the next poll");
        if (published_.last_error) chain.because_of(*published_.last_error);
        chain.blame(wait_cause::max_poll_exceeded, text);
    }

    void joins(chain_builder& chain) const {
        const auto& member = *published_.member;
        chain.poll(awaited());
        if (member.rejoins) {
            chain.blame(wait_cause::rejoining, "the group had forgotten this member; it is joining again");
        } else if (member.standing == boundary::member_standing::joining) {
            chain.blame(wait_cause::joining, "the member is joining the group");
        } else if (member.standing == boundary::member_standing::leaving) {
            chain.blame(wait_cause::joining, "the member is leaving, and joins again afterwards");
        }
        chain.follow(manager_of::membership);
        if (!chain.has_cause()) chain.blame(wait_cause::joining, "the member has not joined the group yet");
    }

    void owns_nothing(chain_builder& chain) const {
        const auto& subscription = *published_.subscription;
        chain.poll(awaited());
        if (subscription.pattern.empty()) {
            const std::string text =
                "the group has assigned nothing to this member: it may have more members than partitions";
            chain.manager(manager_of::membership, "waits for an assignment");
            chain.blame(wait_cause::nothing_assigned, text);
        } else {
            chain.manager(manager_of::membership, "waits for an assignment");
            chain.blame(wait_cause::pattern_unmatched,
                        fmt::format("nothing is assigned: no topic seems to match {}", subscription.pattern));
        }
    }

    // What the cluster says against topics, and what is not there.
    void tell_topics() {
        const auto& troubles = published_.cluster->troubles;
        for (const auto& trouble : troubles) {
            add([&](auto& chain) { topic_trouble(chain, trouble); });
        }
        for (const auto& name : published_.subscription->unmatched_topics) {
            if (name == published_.subscription->pattern) continue;
            add([&](auto& chain) { topic_trouble(chain, {name, broker_error::unknown_topic_or_partition}); });
        }
    }

    void topic_trouble(chain_builder& chain, const boundary::topic_trouble& trouble) const {
        chain.poll("records of " + trouble.topic);
        auto cause = wait_cause::topic_unknown;
        auto text = fmt::format("topic {} does not exist, as far as the cluster says", trouble.topic);
        if (trouble.partition >= 0) {
            cause = wait_cause::partition_unknown;
            text = fmt::format("topic {} has no partition {}: it has {}", trouble.topic, trouble.partition,
                               trouble.partitions);
        } else if (trouble.why == broker_error::topic_authorization_failed) {
            cause = wait_cause::not_authorized;
            text = fmt::format("this consumer is not allowed to read topic {}", trouble.topic);
        } else if (trouble.why != broker_error::unknown_topic_or_partition) {
            text = fmt::format("topic {} cannot be read: {}", trouble.topic, protocol::to_string(trouble.why));
        }
        if (trouble.why != broker_error::none) {
            error_subject about;
            about.topic = trouble.topic;
            chain.because_of(error(std::error_code(static_cast<int>(trouble.why), kafka_category()), text, about));
        }
        chain.blame(cause, text);
        chain.step({.who = "cluster", .text = text, .ends_with = "a change of the topic", .age = {}, .ends_in = {}});
        const auto* const wait = at_.wait_of(manager_of::metadata);
        if (wait) chain.follow(manager_of::metadata);
    }

    // ---- partitions
    void partitions() {
        const auto tell = [this](standing which) {
            if (partitions_.any(which)) add([&](auto& chain) { explain_standing(chain, which, at_, partitions_); });
        };
        tell(standing::stands);
        if (partitions_.any(standing::topic_in_trouble)) tell_topics();
        tell(standing::leader_unknown);
        tell(standing::broker_in_trouble);
        tell(standing::looking_up_committed);
        tell(standing::looking_up_reset);
        tell(standing::validating);
        if (!application_.callback) tell(standing::callback_pending);
        tell(standing::fenced);
        if (partitions_.all(standing::paused)) tell(standing::paused);
        if (holds_memory()) add([this](auto& chain) { memory_held(chain); });
        if (is_for_polling()) add([this](auto& chain) { records_ready(chain); });
        tell(standing::not_fetched);
        tell(standing::behind);
        tell(standing::at_end);
        tell(standing::paused);
    }

    // Nothing more can be fetched, and nothing that a poll would give.
    bool holds_memory() const {
        const auto why = reason_of(manager_of::fetch);
        const bool blocked = why == wait_reason::memory_limit || why == wait_reason::buffers_full;
        return blocked && !is_for_polling();
    }

    void memory_held(chain_builder& chain) const {
        chain.poll(awaited());
        chain.manager(manager_of::fetch, "waits until memory within memory_limit is given back");
        const auto& held = application_.handed_out;
        std::string names;
        for (std::size_t i = 0; i < std::min<std::size_t>(held.size(), partition_group::most_named); ++i) {
            names += (i > 0 ? ", " : "") + to_string(held[i]);
        }
        const auto text =
            fmt::format("{} of memory_limit={} bytes are in use: the application holds records{}{}",
                        application_.bytes_in_use, application_.memory_limit, names.empty() ? "" : " of ", names);
        chain.concerns(held);
        chain.application(text, "letting go of records");
        chain.blame(wait_cause::memory_held, text);
    }

    bool is_for_polling() const {
        const auto& all = partitions_;
        const auto closed =
            all.at(standing::paused).count + all.at(standing::fenced).count + all.at(standing::callback_pending).count;
        return application_.bytes_queued > 0 && closed < all.assigned && !polls();
    }

    void records_ready(chain_builder& chain) const {
        const auto text = fmt::format("{} bytes of records wait to be polled", application_.bytes_queued);
        chain.application(text, "the next poll");
        chain.blame(wait_cause::records_ready, text);
    }

    // ---- around it
    std::string awaited() const {
        const auto& subscription = *published_.subscription;
        if (!subscription.pattern.empty()) return "records of topics that match " + subscription.pattern;
        if (subscription.topics.empty()) return "records";
        auto text = "records of " + subscription.topics.front();
        if (subscription.topics.size() > 1) text += fmt::format(" and {} more", subscription.topics.size() - 1);
        return text;
    }

    // Bootstrap servers as configured, then the cluster's brokers.
    std::vector<error> network_trouble() const {
        std::vector<error> found;
        const auto& all = published_.network->brokers;
        const auto add_failure = [&](const boundary::broker_snapshot& one) {
            if (one.failure) found.push_back(*one.failure);
        };
        const auto first_known =
            std::find_if(all.begin(), all.end(), [](const auto& one) { return !one->is_bootstrap; });
        for (auto it = first_known; it != all.begin();) add_failure(**--it);
        for (auto it = first_known; it != all.end(); ++it) add_failure(**it);
        return found;
    }

    std::vector<std::string> remarks(const explanation& made) const {
        std::vector<std::string> all;
        for (const auto& trouble : made.network_trouble) all.push_back(trouble.message());
        for (const auto& topic : made.unknown_topics) {
            all.push_back(fmt::format("topic {} is subscribed but unknown to the cluster", topic));
        }
        if (published_.last_error && !published_.fatal) {
            all.push_back("the newest error that a poll was told: " + published_.last_error->message());
        }
        return all;
    }

    const situation& at_;
    const boundary::snapshot& published_;
    const boundary::application_view& application_;
    survey partitions_;
    std::vector<explanation_chain> chains_;
    std::vector<std::string> headlines_;
};

}  // namespace

}  // namespace strandline::core::explain

namespace strandline::core::boundary {

explanation explain(const snapshot& published, const application_view& application, base::instant now) {
    const core::explain::situation at{published, application, now};
    return core::explain::explaining(at).run();
}

}  // namespace strandline::core::boundary
