// The least that reading can cost: one thread, one buffer, the next request on its way while this answer is read.
// No group, no metadata, no application: an upper bound, not a promise.
#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "protocol/any_request.hpp"
#include "protocol/messages/fetch.hpp"
#include "protocol/reader.hpp"
#include "records/batch_layout.hpp"
#include "records/big_endian.hpp"
#include "records/crc32c.hpp"
#include "records/decompression_context.hpp"
#include "records/record_decoder.hpp"
#include "tests/bench/clients/measured_window.hpp"
#include "tests/bench/clients/scenario.hpp"

namespace strandline::bench {
namespace {

namespace layout = records::batch_layout;

constexpr std::int16_t version = 11;  // the last one with topic names and without tagged fields
constexpr std::size_t answer_bytes = 1024 * 1024;  // stays in the second-level cache

void require(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
}

class ideal_loop {
public:
    explicit ideal_loop(const scenario& wanted)
        : topic_(wanted.topic), read_(wanted.partitions), next_(wanted.partitions), buffer_(3 * answer_bytes) {
        connect(wanted.brokers);
    }
    ~ideal_loop() { ::close(socket_); }
    ideal_loop(const ideal_loop&) = delete;
    ideal_loop& operator=(const ideal_loop&) = delete;

    void run(measured_window window) {
        request();
        while (window.goes_on(read_)) {
            receive(sizeof(std::int32_t));
            const auto size = static_cast<std::size_t>(records::load_big_endian<std::int32_t>(buffer_.data()));
            require(size <= buffer_.size(), "the answer is larger than the buffer");
            receive(size);
            find_batches({buffer_.data(), size});
            request();
            for (const auto& part : found_) read_batches(part.partition, part.batches);
        }
        window.print(read_);
    }

private:
    struct found_part {
        std::int32_t partition;
        base::bytes_view batches;
    };

    void connect(const std::string& brokers) {
        socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const auto port = std::stoi(brokers.substr(brokers.find(':') + 1));
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
            throw std::system_error(errno, std::generic_category(), "connect");
        }
        const int on = 1;
        ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }

    void request() {
        protocol::messages::fetch_request fetch;
        fetch.max_wait_ms = 500;
        fetch.min_bytes = 1;
        fetch.max_bytes = answer_bytes;
        auto& topic = fetch.topics.emplace_back();
        topic.topic = topic_;
        for (std::size_t i = 0; i < next_.size(); ++i) {
            topic.partitions.push_back({.partition = protocol::partition_index{static_cast<std::int32_t>(i)},
                                        .fetch_offset = next_[i],
                                        .partition_max_bytes = static_cast<std::int32_t>(answer_bytes / next_.size())});
        }
        const auto frame =
            protocol::encode_request_frame(std::move(fetch), version, protocol::correlation_id{1}, "ideal");
        require(frame.has_value(), "the request cannot be written");
        const auto sent = ::send(socket_, frame->data(), frame->size(), MSG_NOSIGNAL);
        require(sent == static_cast<ssize_t>(frame->size()), "the request was not sent");
    }

    void receive(std::size_t size) {
        for (std::size_t have = 0; have < size;) {
            const auto got = ::recv(socket_, buffer_.data() + have, size - have, 0);
            require(got > 0, "the broker is gone");
            have += static_cast<std::size_t>(got);
        }
    }

    void find_batches(base::bytes_view answer) {
        protocol::reader in(answer);
        in.raw(4 + 4 + 2 + 4);  // correlation id, throttle time, error, session
        found_.clear();
        for (auto topics = in.int32(); topics > 0; --topics) {
            in.raw(static_cast<std::size_t>(in.int16()));
            for (auto partitions = in.int32(); partitions > 0; --partitions) {
                const auto partition = in.int32();
                in.raw(2 + 8 + 8 + 8);  // error, high watermark, last stable and log start offsets
                require(in.int32() <= 0, "there are no transactions here");
                in.raw(4);  // preferred replica
                const auto batches = in.raw(static_cast<std::size_t>(in.int32()));
                if (batches.empty()) continue;
                found_.push_back({partition, batches});
                move_position(partition, batches);
            }
        }
        require(!in.failed(), "the answer cannot be read");
    }

    void move_position(std::int32_t partition, base::bytes_view batches) {
        while (batches.size() >= layout::records) {
            const auto* const batch = batches.data();
            next_[static_cast<std::size_t>(partition)] =
                records::load_big_endian<std::int64_t>(batch + layout::base_offset) +
                records::load_big_endian<std::int32_t>(batch + layout::last_offset_delta) + 1;
            batches = batches.subspan(size_of(batch));
        }
    }

    static std::size_t size_of(const std::byte* batch) {
        return layout::log_overhead +
               static_cast<std::size_t>(records::load_big_endian<std::int32_t>(batch + layout::length));
    }

    void read_batches(std::int32_t partition, base::bytes_view batches) {
        while (batches.size() >= layout::records) {
            const auto size = size_of(batches.data());
            read_batch(partition, batches.first(size));
            batches = batches.subspan(size);
        }
    }

    void read_batch(std::int32_t partition, base::bytes_view batch) {
        const auto stored = records::load_big_endian<std::uint32_t>(batch.data() + layout::crc);
        require(records::crc32c(batch.subspan(layout::attributes)) == stored, "a batch is damaged");
        auto bytes = batch.subspan(layout::records);
        const auto attributes = records::load_big_endian<std::int16_t>(batch.data() + layout::attributes);
        if (const auto codec = static_cast<records::compression_codec>(attributes & layout::codec_mask);
            codec != records::compression_codec::none) {
            auto plain = decompression_.decompress(codec, bytes, 2, {});
            require(plain.has_value(), "a batch cannot be decompressed");
            plain_ = std::move(*plain);
            bytes = plain_.view();
        }
        const records::record_scope scope{
            .base_offset = records::load_big_endian<std::int64_t>(batch.data()),
            .last_offset_delta = records::load_big_endian<std::uint32_t>(batch.data() + layout::last_offset_delta),
            .base_timestamp = records::load_big_endian<std::uint64_t>(batch.data() + layout::base_timestamp)};
        const auto* at = bytes.data();
        const auto* const end = at + bytes.size();
        records::record_view record;
        for (auto left = records::load_big_endian<std::int32_t>(batch.data() + layout::record_count); left > 0;
             --left) {
            if (!records::decode_record_fast(at, end, scope, record)) {
                require(!records::decode_record_checked(at, end, scope, record), "a record is damaged");
            }
            read_.add(partition, record.offset, record.value_data,
                      static_cast<std::size_t>(std::max(record.value_size, 0)));
        }
    }

    int socket_ = -1;
    std::string topic_;
    tally read_;
    std::vector<std::int64_t> next_;
    std::vector<std::byte> buffer_;
    std::vector<found_part> found_;
    records::decompression_context decompression_;
    base::shared_bytes plain_;
};

}  // namespace

int run_ideal_loop(const scenario& wanted) {
    ideal_loop(wanted).run(measured_window(wanted.warm_up, wanted.seconds));
    return 0;
}

}  // namespace strandline::bench
