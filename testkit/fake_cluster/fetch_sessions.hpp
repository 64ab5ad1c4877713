// Incremental fetch sessions (KIP-227): what each client fetches from a broker, remembered so that it need not be
// repeated.
#pragma once

#include <cstdint>
#include <map>
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
};

struct fetch_session {
    std::int32_t id = 0;
    protocol::broker_id broker;
    std::int32_t next_epoch = 1;
    bool uses_topic_ids = false;
    // In the order in which they were added; partitions that answered with data move to the end.
    std::vector<session_partition> partitions;
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

private:
    std::map<std::int32_t, fetch_session> sessions_;
    std::int32_t last_id_ = 0;
    bool refuse_ = false;
};

}  // namespace strandline::testkit::fake
