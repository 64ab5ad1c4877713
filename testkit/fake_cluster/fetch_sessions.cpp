#include "testkit/fake_cluster/fetch_sessions.hpp"

#include <iterator>
#include <limits>
#include <utility>

namespace strandline::testkit::fake {

using protocol::broker_error;

void session_partitions::add(const messages::fetch_request& request) {
    for (const auto& topic : request.topics) {
        for (const auto& asked : topic.partitions) {
            const auto [place, is_new] = places_.try_emplace({topic.topic, topic.topic_id, asked.partition});
            if (is_new) {
                in_order_.push_back({topic.topic, topic.topic_id, asked, -1, -1, -1, false, false});
                place->second = std::prev(in_order_.end());
            } else {
                place->second->asked = asked;
            }
        }
    }
}

void session_partitions::forget(const std::string& topic, protocol::topic_id id, protocol::partition_index index) {
    const auto place = places_.find({topic, id, index});
    if (place == places_.end()) return;
    in_order_.erase(place->second);
    places_.erase(place);
}

void session_partitions::told(const session_partition& one) {
    const auto place = places_.find({one.topic, one.topic_id, one.asked.partition});
    if (place == places_.end()) return;
    *place->second = one;
    if (one.got_records) in_order_.splice(in_order_.end(), in_order_, place->second);
}

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
        session_partitions asked;
        asked.add(request);
        context.partitions = asked.all();
        if (epoch == final || refuse_ || version < 7) return context;
        fetch_session made;
        made.id = ++last_id_;
        made.broker = broker;
        made.uses_topic_ids = by_id;
        made.partitions = std::move(asked);
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
            session.partitions.forget(topic.topic, topic.topic_id, index);
        }
    }
    session.partitions.add(request);
    context.session_id = session.id;
    context.incremental = true;
    context.partitions = session.partitions.all();
    return context;
}

void fetch_sessions::told(std::int32_t session_id, const std::vector<session_partition>& partitions) {
    const auto found = sessions_.find(session_id);
    if (found == sessions_.end()) return;
    for (const auto& one : partitions) found->second.partitions.told(one);
    if (on_answered_) on_answered_(found->second);
}

void fetch_sessions::forget_broker(protocol::broker_id broker) {
    std::erase_if(sessions_, [&](const auto& entry) { return entry.second.broker == broker; });
}

}  // namespace strandline::testkit::fake
