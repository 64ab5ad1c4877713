#include "core/fetch/fetch_digest.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/exchange/leadership_errors.hpp"
#include "core/fetch/fetch_request.hpp"

namespace strandline::core::fetch {

using protocol::broker_error;
using protocol::messages::fetch_response;

namespace {

error_subject about(const fetch_entry& entry, std::int64_t offset) {
    error_subject subject;
    subject.partition = entry.partition->name;
    subject.topic = entry.partition->name.topic;
    subject.offset = offset;
    return subject;
}

error corrupt(const fetch_entry& entry, std::int64_t offset, const std::string& what) {
    return {errc::corrupt_record,
            fmt::format("{} is corrupt at offset {}: {}. It was fetched twice; seek past it to go on, "
                        "and commit that offset by name if a restart is to begin there too",
                        to_string(entry.partition->name), offset, what),
            about(entry, offset)};
}

error refused(const fetch_entry& entry, broker_error why) {
    return {std::error_code(static_cast<int>(why), kafka_category()),
            fmt::format("fetching {} was refused: {} ({})", to_string(entry.partition->name), protocol::meaning(why),
                        protocol::to_string(why)),
            about(entry, entry.offset)};
}

std::vector<records::aborted_transaction> aborted_of(const fetch_response::partition_data& data) {
    std::vector<records::aborted_transaction> aborted;
    if (!data.aborted_transactions) return aborted;
    aborted.reserve(data.aborted_transactions->size());
    for (const auto& transaction : *data.aborted_transactions) {
        aborted.push_back({transaction.producer_id.value(), transaction.first_offset});
    }
    return aborted;
}

}  // namespace

bool fetch_digest::digest(protocol::broker_id broker, std::int16_t version, const fetch_session& entries,
                          const fetch_response& response, exchange::turn_time time) {
    const bool by_id = version > newest_version(false);
    bool gave = false;
    for (const auto& topic : response.responses) {
        for (const auto& data : topic.partitions) {
            const auto index = data.partition_index.value();
            const auto* entry = by_id ? entries.find(topic.topic_id, index) : entries.find(topic.topic, index);
            // Nobody asked for it: it says nothing about anything we have.
            if (!entry) continue;
            gave = gave || (data.records && !data.records->empty());
            digest(broker, *entry, data, response, time);
        }
    }
    return gave;
}

void fetch_digest::digest(protocol::broker_id broker, const fetch_entry& entry, const partition_data& data,
                          const fetch_response& response, exchange::turn_time time) {
    const auto* state = board_->current(entry);
    // The position has moved, or the partition is gone: late answers change nothing.
    if (!state) return;
    board_->look_at(entry.slot);
    if (data.error_code != broker_error::none) {
        on_error(broker, entry, data, response, time);
        return;
    }
    if (data.preferred_read_replica != protocol::no_broker && data.preferred_read_replica != broker) {
        board_->read_from_replica(entry.slot, data.preferred_read_replica, time.now);
    }
    if (data.diverging_epoch.end_offset >= 0) {
        context_.facts.emit(exchange::position_doubted{entry.slot, entry.era});
    } else if (data.records && !data.records->empty()) {
        take_batches(entry, data, time);
    } else {
        board_->on_success(entry.slot);
        take_marks(entry, data, *state);
    }
}

void fetch_digest::take_batches(const fetch_entry& entry, const partition_data& data, exchange::turn_time time) {
    records::scan_options options;
    options.verify_checksums = context_.config.check_crcs;
    if (data.high_watermark >= 0) options.high_watermark = data.high_watermark;
    auto batches = verify_batches(*data.records, entry.offset, options);
    const auto reached = batches.next_offset;

    if (batches.ended == records::scan_status::truncated && reached == entry.offset) on_cut(entry, batches);
    std::optional<error> failure;
    if (batches.corrupt && is_corrupt_again(entry, reached, time)) {
        failure = corrupt(entry, reached, records::to_string(*batches.corrupt));
    }
    const bool ended_well = !batches.corrupt;
    if (reached > entry.offset || failure) {
        hand_over(entry, data, std::move(batches), failure);
        if (ended_well) board_->on_success(entry.slot);
        if (reached > entry.offset) board_->extras_of(entry.slot).max_bytes = 0;
    } else if (ended_well && batches.ended == records::scan_status::end) {
        // Whole batches, and all of them before the position: asking again at once would bring the same.
        board_->hold_off(entry.slot, {}, time.now);
    }
    if (failure) context_.facts.emit(exchange::partition_failed{entry.slot, entry.era, *std::move(failure)});
}

void fetch_digest::hand_over(const fetch_entry& entry, const partition_data& data, verified_batches batches,
                             std::optional<error> failure) {
    boundary::completed_fetch fetched;
    fetched.slot = entry.slot;
    fetched.era = entry.era;
    fetched.partition = entry.partition;
    fetched.batches = std::move(batches.bytes);
    fetched.from_offset = entry.offset;
    fetched.next_offset = batches.next_offset;
    fetched.next_leader_epoch = batches.leader_epoch;
    fetched.isolation = context_.config.isolation;
    if (fetched.isolation == boundary::isolation_level::read_committed) fetched.aborted = aborted_of(data);
    fetched.high_watermark = data.high_watermark;
    fetched.last_stable_offset = data.last_stable_offset;
    fetched.log_start_offset = data.log_start_offset;
    fetched.failure = std::move(failure);
    board_->ask_last(entry.slot);
    board_->on_handed_over(entry.slot, fetched.next_offset, fetched.batches.size());
    outbox_->add(std::move(fetched));
    context_.facts.emit(exchange::position_advanced{entry.slot, entry.era, entry.offset, batches.next_offset,
                                                    protocol::leader_epoch(batches.leader_epoch), data.high_watermark,
                                                    data.last_stable_offset, data.log_start_offset});
}

void fetch_digest::take_marks(const fetch_entry& entry, const partition_data& data,
                              const exchange::partition_state& state) {
    if (data.high_watermark == state.high_watermark && data.last_stable_offset == state.last_stable_offset &&
        data.log_start_offset == state.log_start_offset) {
        return;
    }
    context_.facts.emit(exchange::position_advanced{entry.slot, entry.era, entry.offset, entry.offset,
                                                    protocol::no_leader_epoch, data.high_watermark,
                                                    data.last_stable_offset, data.log_start_offset});
}

// Not even one whole batch fitted. The first partition of an answer always gets one (KIP-74); until this one is the
// first, asking for enough is what we can do.
void fetch_digest::on_cut(const fetch_entry& entry, const verified_batches& batches) {
    const auto doubled = std::int64_t{entry.max_bytes} * 2;
    const auto largest = static_cast<std::int64_t>(
        std::min<std::size_t>(context_.config.max_frame_bytes, std::numeric_limits<std::int32_t>::max()));
    const auto wanted = std::max(doubled, static_cast<std::int64_t>(batches.whole_size));
    board_->extras_of(entry.slot).max_bytes = static_cast<std::int32_t>(std::min(wanted, largest));
}

// Once may be the network's or the broker's memory: it is fetched once more before the partition stands still.
bool fetch_digest::is_corrupt_again(const fetch_entry& entry, std::int64_t offset, exchange::turn_time time) {
    auto& extras = board_->extras_of(entry.slot);
    if (extras.corrupt_at == offset) return true;
    extras.corrupt_at = offset;
    board_->hold_off(entry.slot, broker_error::corrupt_message, time.now);
    return false;
}

void fetch_digest::on_error(protocol::broker_id broker, const fetch_entry& entry, const partition_data& data,
                            const fetch_response& response, exchange::turn_time time) {
    const auto why = data.error_code;
    if (why == broker_error::offset_out_of_range) {
        if (entry.of_follower) {
            // A follower may lag or be cut short itself: only the leader knows its log.
            board_->read_from_leader(entry.slot);
            return;
        }
        context_.facts.emit(exchange::position_out_of_range{entry.slot, entry.era, entry.offset, data.log_start_offset,
                                                            data.high_watermark});
        return;
    }
    if (why == broker_error::corrupt_message) {
        if (is_corrupt_again(entry, entry.offset, time)) {
            fail(entry, entry.offset, corrupt(entry, entry.offset, "the broker says so"));
        }
        return;
    }
    if (why == broker_error::topic_authorization_failed || why == broker_error::unsupported_compression_type) {
        fail(entry, entry.offset, refused(entry, why));
        return;
    }
    board_->hold_off(entry.slot, why, time.now);
    if (exchange::is_about_leadership(why)) {
        if (board_->at(entry.slot).replica() == broker) board_->read_from_leader(entry.slot);
        tell_leader(entry, data, response);
        if (why != broker_error::unknown_leader_epoch) {
            context_.facts.emit(
                exchange::metadata_stale{protocol::to_string(why) + " for " + to_string(entry.partition->name)});
        }
    }
}

// KIP-951: the broker that is no longer the leader says who is.
void fetch_digest::tell_leader(const fetch_entry& entry, const partition_data& data, const fetch_response& response) {
    const auto& leader = data.current_leader;
    if (leader.leader_id == protocol::no_broker || leader.leader_epoch == protocol::no_leader_epoch) return;
    exchange::leader_hint hint{
        entry.partition->name, entry.partition->topic_id, leader.leader_id, leader.leader_epoch, std::nullopt, {}};
    const auto endpoint = std::find_if(response.node_endpoints.begin(), response.node_endpoints.end(),
                                       [&](const auto& candidate) { return candidate.node_id == leader.leader_id; });
    if (endpoint != response.node_endpoints.end() && endpoint->port > 0 && endpoint->port <= UINT16_MAX) {
        hint.address = boundary::host_port{endpoint->host, static_cast<std::uint16_t>(endpoint->port)};
        hint.rack = endpoint->rack.value_or("");
    }
    context_.facts.emit(std::move(hint));
}

void fetch_digest::fail(const fetch_entry& entry, std::int64_t offset, error failure) {
    boundary::completed_fetch last;
    last.slot = entry.slot;
    last.era = entry.era;
    last.partition = entry.partition;
    last.from_offset = last.next_offset = offset;
    last.failure = failure;
    outbox_->add(std::move(last));
    context_.facts.emit(exchange::partition_failed{entry.slot, entry.era, std::move(failure)});
}

}  // namespace strandline::core::fetch
