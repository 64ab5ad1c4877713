// Fetch (1), versions 4 to 18. 5 log start; 7 sessions; 9 leader epochs; 11 racks; 12 diverging epochs and leader
// hints; 13 topic ids; 16 where the new leader is.
#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

#include "testkit/fake_cluster/fetch_sessions.hpp"
#include "testkit/fake_cluster/handlers.hpp"
#include "testkit/fake_cluster/leadership_check.hpp"

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

using partition_answer = messages::fetch_response::partition_data;

// One Fetch on its way to an answer; asked again while too little is there.
class fetch_attempt {
public:
    fetch_attempt(const messages::fetch_request& request, call& call, session_context context)
        : request_(request),
          all_(&call.all),
          broker_(call.broker.id),
          version_(call.version()),
          by_id_(call.version() >= 13),
          context_(std::move(context)) {}

    std::optional<any_response> answer(bool must) {
        if (!must && !is_enough()) return std::nullopt;
        std::vector<partition_answer> answers;
        std::size_t gathered = 0;
        std::size_t room = static_cast<std::size_t>(std::max(request_.max_bytes, 0));
        for (const auto& one : context_.partitions) {
            const partition_log* log = nullptr;
            auto out = look_at(one, log);
            if (log) read(*log, one, room, gathered, out);
            const auto size = out.records->size();
            gathered += size;
            room -= std::min(room, size);
            answers.push_back(std::move(out));
        }
        return respond(std::move(answers));
    }

private:
    // Errors, and news that need no bytes, are told at once. Counts without reading: it is asked after each change.
    bool is_enough() const {
        auto wanted = static_cast<std::size_t>(std::max(request_.min_bytes, 0));
        if (wanted == 0) return true;
        for (const auto& one : context_.partitions) {
            const partition_log* log = nullptr;
            look_at(one, log);
            if (!log) return true;
            const auto found = log->available(one.asked.fetch_offset, wanted, request_.isolation_level == 1);
            if (found >= wanted) return true;
            wanted -= found;
        }
        return false;
    }

    topic_state* topic_of(const session_partition& one) const {
        return by_id_ ? all_->cluster.find_topic(one.topic_id) : all_->cluster.find_topic(one.topic);
    }

    // Everything but the records; those are to be read from `log`, if there is one.
    partition_answer look_at(const session_partition& one, const partition_log*& readable) const {
        partition_answer out;
        out.partition_index = one.asked.partition;
        out.high_watermark = -1;
        out.records = base::shared_bytes{};
        out.aborted_transactions = std::nullopt;
        auto* topic = topic_of(one);
        if (!topic) {
            out.error_code = by_id_ ? broker_error::unknown_topic_id : broker_error::unknown_topic_or_partition;
            out.aborted_transactions.emplace();
            return out;
        }
        auto* partition = topic->find(one.asked.partition.value());
        // What nobody has is told without looking at any log, and so it has other words for nothing.
        if (!partition) out.aborted_transactions.emplace();
        const bool follower = partition && partition->preferred_replica == broker_;
        out.error_code =
            check_leadership(partition, follower ? partition->leader : broker_, one.asked.current_leader_epoch.value());
        if (out.error_code != broker_error::none) {
            if (partition && version_ >= 12 &&
                (out.error_code == broker_error::not_leader_or_follower ||
                 out.error_code == broker_error::fenced_leader_epoch)) {
                out.current_leader = {.leader_id = partition->leader,
                                      .leader_epoch = protocol::leader_epoch(partition->leader_epoch)};
            }
            return out;
        }
        const auto& log = partition->log;
        const auto from = one.asked.fetch_offset;
        const auto last = one.asked.last_fetched_epoch.value();
        const auto end = last >= 0 ? log.end_of_epoch(last) : partition_log::epoch_end{};
        if (one.asked.partition_max_bytes < 0) {
            out.error_code = broker_error::unknown_server_error;
            return out;
        }
        const bool is_known_epoch = last < 0 || end.epoch >= 0;
        const bool diverges = last >= 0 && is_known_epoch && (end.epoch < last || end.end_offset < from);
        if (!is_known_epoch || (!diverges && (from < log.start_offset() || from > log.high_watermark()))) {
            out.error_code = broker_error::offset_out_of_range;
            return out;
        }
        out.high_watermark = log.high_watermark();
        out.last_stable_offset = log.last_stable_offset();
        out.log_start_offset = log.start_offset();
        if (diverges) {
            out.diverging_epoch = {.epoch = protocol::leader_epoch(end.epoch), .end_offset = end.end_offset};
            return out;
        }
        if (const auto replica = replica_for_rack(*partition); replica != protocol::no_broker && !follower) {
            out.preferred_read_replica = replica;
            return out;
        }
        readable = &log;
        return out;
    }

    void read(const partition_log& log, const session_partition& one, std::size_t room, std::size_t gathered,
              partition_answer& out) const {
        const bool committed_only = request_.isolation_level == 1;
        const auto limit = std::min(room, static_cast<std::size_t>(std::max(one.asked.partition_max_bytes, 0)));
        // The first batch of the first partition that has any is whole, however large it is (KIP-74).
        auto found = log.read(one.asked.fetch_offset, limit, gathered == 0, committed_only);
        out.records = std::move(found.bytes);
        if (!committed_only) return;
        auto& aborted = out.aborted_transactions.emplace();
        for (const auto& transaction : found.aborted) {
            aborted.push_back({.producer_id = protocol::producer_id(transaction.producer_id),
                               .first_offset = transaction.first_offset});
        }
    }

    protocol::broker_id replica_for_rack(const partition_state& partition) const {
        if (request_.rack_id.empty() || !partition.preferred_replica) return protocol::no_broker;
        const auto* replica = all_->cluster.find_broker(*partition.preferred_replica);
        const bool near = replica && replica->running && replica->rack == request_.rack_id;
        return near && replica->id != partition.leader ? replica->id : protocol::no_broker;
    }

    static bool is_news(const session_partition& told, const partition_answer& now) {
        return (now.records && !now.records->empty()) || now.error_code != broker_error::none ||
               now.diverging_epoch.epoch.value() >= 0 || now.preferred_read_replica != protocol::no_broker ||
               now.high_watermark != told.told_high_watermark ||
               now.last_stable_offset != told.told_last_stable_offset ||
               now.log_start_offset != told.told_log_start_offset || told.told_error;
    }

    // What nobody has is told last, whatever was asked for first.
    static std::vector<std::size_t> in_order_of_telling(const std::vector<partition_answer>& answers) {
        std::vector<std::size_t> order(answers.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_partition(order.begin(), order.end(), [&](std::size_t i) {
            const auto error = answers[i].error_code;
            return error != broker_error::unknown_topic_id && error != broker_error::unknown_topic_or_partition;
        });
        return order;
    }

    any_response respond(std::vector<partition_answer> answers) {
        messages::fetch_response response;
        response.session_id = context_.session_id;
        std::vector<session_partition> told;
        for (const auto i : in_order_of_telling(answers)) {
            auto& one = context_.partitions[i];
            auto& now = answers[i];
            if (context_.incremental && !is_news(one, now)) continue;
            one.told_high_watermark = now.high_watermark;
            one.told_last_stable_offset = now.last_stable_offset;
            one.told_log_start_offset = now.log_start_offset;
            one.told_error = now.error_code != broker_error::none;
            one.got_records = context_.incremental && now.records && !now.records->empty();
            told.push_back(one);
            if (now.current_leader.leader_id != protocol::no_broker)
                add_endpoint(response, now.current_leader.leader_id);
            const bool next_topic =
                response.responses.empty() || (by_id_ ? response.responses.back().topic_id != one.topic_id
                                                      : response.responses.back().topic != one.topic);
            if (next_topic) {
                response.responses.emplace_back();
                response.responses.back().topic = by_id_ ? std::string() : one.topic;
                if (by_id_) response.responses.back().topic_id = one.topic_id;
            }
            response.responses.back().partitions.push_back(std::move(now));
        }
        all_->sessions.told(context_.session_id, told);
        return response;
    }

    void add_endpoint(messages::fetch_response& response, protocol::broker_id leader) const {
        const auto known = std::find_if(response.node_endpoints.begin(), response.node_endpoints.end(),
                                        [&](const auto& endpoint) { return endpoint.node_id == leader; });
        const auto* broker = all_->cluster.find_broker(leader);
        if (version_ < 16 || known != response.node_endpoints.end() || !broker) return;
        messages::fetch_response::node_endpoint endpoint;
        endpoint.node_id = leader;
        endpoint.host = broker->host;
        endpoint.port = broker->port;
        if (!broker->rack.empty()) endpoint.rack = broker->rack;
        response.node_endpoints.push_back(std::move(endpoint));
    }

    messages::fetch_request request_;
    services* all_;
    protocol::broker_id broker_;
    std::int16_t version_;
    bool by_id_;
    session_context context_;
};

}  // namespace

reply handle(const messages::fetch_request& request, call& call) {
    auto context = call.all.sessions.begin(request, call.version(), call.broker.id);
    if (context.error != broker_error::none) {
        messages::fetch_response response;
        response.error_code = context.error;
        return reply::now(std::move(response));
    }
    const bool nothing_to_wait_for = context.partitions.empty() && !context.incremental;
    auto attempt = std::make_shared<fetch_attempt>(request, call, std::move(context));
    if (auto answer = attempt->answer(nothing_to_wait_for || request.max_wait_ms <= 0))
        return reply::now(std::move(*answer));
    const auto deadline = base::saturating_add(call.now, std::chrono::milliseconds(request.max_wait_ms));
    return reply::later(deadline, [attempt](base::instant, bool expired) { return attempt->answer(expired); });
}

}  // namespace strandline::testkit::fake
