#include "testkit/fake_cluster/fetch_sessions.hpp"

#include <algorithm>
#include <limits>

namespace strandline::testkit::fake {

using protocol::broker_error;

namespace {

bool same(const session_partition& a, const std::string& topic, protocol::topic_id id, protocol::partition_index index,
          bool by_id) {
    return a.asked.partition == index && (by_id ? a.topic_id == id : a.topic == topic);
}

void add(std::vector<session_partition>& to, const messages::fetch_request& request, bool by_id) {
    for (const auto& topic : request.topics) {
        for (const auto& asked : topic.partitions) {
            const auto found = std::find_if(to.begin(), to.end(), [&](const session_partition& one) {
                return same(one, topic.topic, topic.topic_id, asked.partition, by_id);
            });
            if (found != to.end()) {
                found->asked = asked;
            } else {
                to.push_back({topic.topic, topic.topic_id, asked, -1, -1, -1, false});
            }
        }
    }
}

}  // namespace

session_context fetch_sessions::begin(const messages::fetch_request& request, std::int16_t version,
                                      protocol::broker_id broker) {
    constexpr std::int32_t initial = 0;
    constexpr std::int32_t final = -1;
    const bool by_id = version >= 13;
    const auto epoch = request.session_epoch.value();
    session_context context;
    if (epoch == initial || epoch == final) {
        // A full request; it ends the session it names.
        if (request.session_id != 0) sessions_.erase(request.session_id);
        add(context.partitions, request, by_id);
        if (epoch == final || refuse_ || version < 7) return context;
        fetch_session made;
        made.id = ++last_id_;
        made.broker = broker;
        made.uses_topic_ids = by_id;
        made.partitions = context.partitions;
        context.session_id = made.id;
        sessions_.emplace(made.id, std::move(made));
        return context;
    }
    const auto found = sessions_.find(request.session_id);
    if (found == sessions_.end() || found->second.broker != broker) {
        context.error = broker_error::fetch_session_id_not_found;
        return context;
    }
    auto& session = found->second;
    if (session.next_epoch != epoch) {
        context.error = broker_error::invalid_fetch_session_epoch;
        return context;
    }
    if (session.uses_topic_ids != by_id) {
        context.error = broker_error::fetch_session_topic_id_error;
        return context;
    }
    session.next_epoch = epoch == std::numeric_limits<std::int32_t>::max() ? 1 : epoch + 1;
    for (const auto& topic : request.forgotten_topics_data) {
        for (const auto index : topic.partitions) {
            std::erase_if(session.partitions, [&](const session_partition& one) {
                return same(one, topic.topic, topic.topic_id, index, by_id);
            });
        }
    }
    add(session.partitions, request, by_id);
    context.session_id = session.id;
    context.incremental = true;
    context.partitions = session.partitions;
    return context;
}

void fetch_sessions::told(std::int32_t session_id, const std::vector<session_partition>& partitions) {
    const auto found = sessions_.find(session_id);
    if (found == sessions_.end()) return;
    for (const auto& one : partitions) {
        const auto kept = std::find_if(
            found->second.partitions.begin(), found->second.partitions.end(), [&](const session_partition& other) {
                return same(other, one.topic, one.topic_id, one.asked.partition, found->second.uses_topic_ids);
            });
        if (kept == found->second.partitions.end()) continue;
        *kept = one;
        // Whoever had data stands behind the others next time.
        std::rotate(kept, std::next(kept), found->second.partitions.end());
    }
}

void fetch_sessions::forget_broker(protocol::broker_id broker) {
    std::erase_if(sessions_, [&](const auto& entry) { return entry.second.broker == broker; });
}

}  // namespace strandline::testkit::fake
