// Incremental fetch sessions (KIP-227): what each client fetches from a broker, remembered so that it need not be
// repeated.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "protocol/broker_error.hpp"
#include "protocol/ids.hpp"
#include "protocol/messages/fetch.hpp"

namespace strandline::testkit::fake {

namespace messages = protocol::messages;

// A partition in a session, with what the client was last told of it.
struct session_partition {
    std::string topic;
    protocol::topic_id topic_id;
    messages::fetch_request::fetch_partition asked;
    std::int64_t told_high_watermark = -1;
    std::int64_t told_last_stable_offset = -1;
    std::int64_t told_log_start_offset = -1;
    bool told_error = false;
    bool got_records = false;  // this time, and it was not the first
};

// In the order in which they were added; partitions that got records move to the end. There may be thousands.
class session_partitions {
public:
    session_partitions() = default;
    session_partitions(session_partitions&&) = default;
    session_partitions& operator=(session_partitions&&) = default;

    void add(const messages::fetch_request& request);
    void forget(const std::string& topic, protocol::topic_id id, protocol::partition_index index);
    // Only who got records goes to the end: others have waited longer.
    void told(const session_partition& one);
    std::vector<session_partition> all() const { return {in_order_.begin(), in_order_.end()}; }

private:
    // Topics are named in one way within a session; the other one is empty.
    using key = std::tuple<std::string, protocol::topic_id, protocol::partition_index>;
    std::list<session_partition> in_order_;
    std::map<key, std::list<session_partition>::iterator> places_;
};

struct fetch_session {
    std::int32_t id = 0;
    protocol::broker_id broker;
    std::int32_t next_epoch = 1;
    bool uses_topic_ids = false;
    session_partitions partitions;
};

// What a Fetch request amounts to.
struct session_context {
    protocol::broker_error error = protocol::broker_error::none;
    std::int32_t session_id = 0;      // to be answered
    bool incremental = false;         // only partitions with news are answered
    std::vector<session_partition> partitions;
};

class fetch_sessions {
public:
    // Applies the request's changes to its session, or opens or closes one.
    session_context begin(const messages::fetch_request& request, std::int16_t version, protocol::broker_id broker);
    // Remembers what the answer tells of the partitions of a session.
    void told(std::int32_t session_id, const std::vector<session_partition>& partitions);
    void forget_broker(protocol::broker_id broker);
    // As if evicted: the next incremental request gets fetch_session_id_not_found.
    void forget_all() { sessions_.clear(); }
    // None are given from now on: every answer has session id 0.
    void refuse(bool refuse) { refuse_ = refuse; }
    std::size_t size() const noexcept { return sessions_.size(); }
    // Called whenever a request of a session has been answered, with what is remembered of it from then on.
    void on_answered(std::function<void(const fetch_session&)> look) { on_answered_ = std::move(look); }

private:
    std::map<std::int32_t, fetch_session> sessions_;
    std::int32_t last_id_ = 0;
    bool refuse_ = false;
    std::function<void(const fetch_session&)> on_answered_;
};

}  // namespace strandline::testkit::fake
