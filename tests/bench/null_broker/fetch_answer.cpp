#include "tests/bench/null_broker/fetch_answer.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/header.hpp"
#include "tests/bench/null_broker/served_cluster.hpp"

namespace strandline::bench {
namespace {

using protocol::writer;

// The parts of the format that changed from version to version.
class fetch_writer {
public:
    fetch_writer(const asked_fetch& asked, writer& out) : version_(asked.version), out_(out) {}

    void begin(const asked_fetch& asked, protocol::broker_error error) {
        out_.int32(0);  // the length
        encode(out_, protocol::response_header{.correlation_id = asked.correlation_id}, protocol::api_key::fetch,
               version_);
        out_.int32(0);  // throttle time
        if (version_ >= 7) {
            out_.int16(static_cast<std::int16_t>(error));
            out_.int32(error == protocol::broker_error::none ? asked.session->id() : 0);
        }
    }
    void topic() {
        if (version_ >= 13) {
            out_.raw(std::as_bytes(std::span(served_topic_id.octets)));
            return;
        }
        const std::string_view name = served_topic;
        if (flexible()) {
            out_.unsigned_varint(static_cast<std::uint32_t>(name.size() + 1));
        } else {
            out_.int16(static_cast<std::int16_t>(name.size()));
        }
        out_.raw(base::as_bytes(name));
    }
    void partition(std::int32_t index, std::int64_t end_offset, std::size_t record_bytes) {
        out_.int32(index);
        out_.int16(0);
        out_.int64(end_offset);                     // high watermark
        out_.int64(end_offset);                     // last stable offset
        if (version_ >= 5) out_.int64(0);           // log start offset
        length(0);                                  // aborted transactions
        if (version_ >= 11) out_.int32(-1);         // preferred replica
        length(record_bytes);
    }
    // Of an array or of bytes.
    void length(std::size_t size) {
        if (flexible()) {
            out_.unsigned_varint(static_cast<std::uint32_t>(size + 1));
        } else {
            out_.int32(static_cast<std::int32_t>(size));
        }
    }
    void no_tagged_fields() {
        if (flexible()) out_.unsigned_varint(0);
    }

private:
    bool flexible() const noexcept { return version_ >= 12; }

    std::int16_t version_;
    writer& out_;
};

struct served {
    std::int32_t partition;
    std::size_t first_batch;
    std::size_t batch_count;
    std::size_t bytes;
};

}  // namespace

bool has_records(const asked_fetch& asked, const log_source& source) {
    for (std::size_t i = 0; i < asked.session->size(); ++i) {
        const auto& wanted = asked.session->at(i);
        if (wanted.offset < source.end_offset(wanted.partition)) return true;
    }
    return false;
}

outgoing_frame answer_fetch(const asked_fetch& asked, const log_source& source) {
    std::vector<sent_batch> batches;
    std::vector<served> partitions;
    auto budget = static_cast<std::int64_t>(asked.max_bytes);
    std::size_t last_served = 0;
    for (std::size_t i = 0; i < asked.session->size(); ++i) {
        const auto& wanted = asked.session->at(i);
        served one{wanted.partition, batches.size(), 0, 0};
        if (budget > 0 && wanted.offset < source.end_offset(wanted.partition)) {
            const auto limit = std::min<std::int64_t>(budget, wanted.max_bytes);
            source.read(wanted.partition, wanted.offset, static_cast<std::size_t>(limit), batches);
            one.batch_count = batches.size() - one.first_batch;
            for (std::size_t b = one.first_batch; b < batches.size(); ++b) one.bytes += batches[b].size();
            budget -= static_cast<std::int64_t>(one.bytes);
            last_served = i + 1;
        }
        if (one.batch_count > 0 || asked.full) partitions.push_back(one);
    }
    asked.session->rotate(last_served);

    outgoing_frame frame;
    writer own(128 + 64 * partitions.size() + sizeof(std::int64_t) * batches.size());
    fetch_writer out(asked, own);
    out.begin(asked, protocol::broker_error::none);
    out.length(partitions.empty() ? 0 : 1);
    if (!partitions.empty()) {
        out.topic();
        out.length(partitions.size());
        for (const auto& one : partitions) {
            out.partition(one.partition, source.end_offset(one.partition), one.bytes);
            for (std::size_t b = one.first_batch; b < one.first_batch + one.batch_count; ++b) {
                own.int64(batches[b].base_offset);
                frame.share(own, batches[b].rest);
            }
            out.no_tagged_fields();
        }
        out.no_tagged_fields();
    }
    out.no_tagged_fields();
    frame.seal(std::move(own));
    return frame;
}

outgoing_frame refuse_fetch(const asked_fetch& asked, protocol::broker_error error) {
    writer own(64);
    fetch_writer out(asked, own);
    out.begin(asked, error);
    out.length(0);
    out.no_tagged_fields();
    outgoing_frame frame;
    frame.seal(std::move(own));
    return frame;
}

}  // namespace strandline::bench
