// One record as the application sees it: views, no copies.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <strandline/export.hpp>
#include <strandline/topic_partition.hpp>

namespace strandline {
namespace client {
class partition_reader;
struct part_progress;
}  // namespace client

inline namespace v0 {

// create_time: set by the producer. log_append_time: set by the broker. none: a record of the oldest format has no
// timestamp.
enum class timestamp_type : std::int8_t { none = -1, create_time = 0, log_append_time = 1 };

using bytes = std::span<const std::byte>;

// As they are: nothing checks that it is text.
inline std::string_view as_text(bytes data) noexcept {
    return {reinterpret_cast<const char*>(data.data()), data.size()};
}

struct header {
    std::string_view name;
    std::optional<bytes> value;  // null is not empty

    std::optional<std::string_view> value_text() const noexcept {
        return value ? std::optional(as_text(*value)) : std::nullopt;
    }
};

// Decoded while iterating; lives as long as its record. Order and duplicates are kept. Dereferences to a header inside
// the iterator, valid until it moves.
class STRANDLINE_API header_range {
public:
    class STRANDLINE_API iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = header;
        using difference_type = std::ptrdiff_t;
        using pointer = const header*;
        using reference = const header&;

        iterator() noexcept = default;
        iterator(const std::byte* at, std::int32_t left) noexcept : at_(at), left_(left) {
            if (left_ > 0) decode();
        }
        reference operator*() const noexcept { return current_; }
        pointer operator->() const noexcept { return &current_; }
        iterator& operator++() noexcept {
            if (--left_ > 0) decode();
            return *this;
        }
        iterator operator++(int) noexcept {
            auto before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.left_ == b.left_; }

    private:
        void decode() noexcept;

        const std::byte* at_ = nullptr;
        std::int32_t left_ = 0;
        header current_;
    };

    header_range() noexcept = default;
    // For the library: `at` holds `count` headers that were checked.
    header_range(const std::byte* at, std::int32_t count) noexcept : at_(at), count_(count) {}

    iterator begin() const noexcept { return {at_, count_}; }
    iterator end() const noexcept { return {nullptr, 0}; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(count_); }
    bool empty() const noexcept { return count_ == 0; }

private:
    const std::byte* at_ = nullptr;
    std::int32_t count_ = 0;
};

// A record with bytes of its own.
struct owned_record {
    struct owned_header {
        std::string name;
        std::optional<std::vector<std::byte>> value;
        friend bool operator==(const owned_header&, const owned_header&) = default;
    };
    topic_partition partition;
    std::int64_t offset = 0;
    std::chrono::sys_time<std::chrono::milliseconds> timestamp;
    strandline::timestamp_type timestamp_type = strandline::timestamp_type::none;
    std::optional<std::int32_t> leader_epoch;
    std::optional<std::vector<std::byte>> key;
    std::optional<std::vector<std::byte>> value;
    std::vector<owned_header> headers;

    friend bool operator==(const owned_record&, const owned_record&) = default;
};

// Lives as long as the `records` or `partition_records` it came from, and so do copies of it; to_owned() lives on.
class STRANDLINE_API record {
public:
    record() noexcept = default;

    const std::string& topic() const noexcept { return batch_->partition->topic; }
    std::int32_t partition() const noexcept { return batch_->partition->partition; }
    const strandline::topic_partition& topic_partition() const noexcept { return *batch_->partition; }
    std::int64_t offset() const noexcept { return offset_; }
    // -1 ms when there is none.
    std::chrono::sys_time<std::chrono::milliseconds> timestamp() const noexcept {
        return std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(timestamp_));
    }
    strandline::timestamp_type timestamp_type() const noexcept { return batch_->timestamps; }
    std::optional<std::int32_t> leader_epoch() const noexcept {
        return batch_->leader_epoch < 0 ? std::nullopt : std::optional(batch_->leader_epoch);
    }

    // Null is not empty.
    std::optional<bytes> key() const noexcept { return span_of(key_data_, key_size_); }
    std::optional<bytes> value() const noexcept { return span_of(value_data_, value_size_); }
    std::optional<std::string_view> key_text() const noexcept { return text_of(key_data_, key_size_); }
    std::optional<std::string_view> value_text() const noexcept { return text_of(value_data_, value_size_); }
    header_range headers() const noexcept { return {header_data_, header_count_}; }

    owned_record to_owned() const;

private:
    friend class client::partition_reader;
    friend class consumer_calls;
    friend class coroutine_calls;

    // What the records of one batch have in common.
    struct batch {
        const strandline::topic_partition* partition = nullptr;
        client::part_progress* progress = nullptr;
        std::int32_t leader_epoch = -1;
        strandline::timestamp_type timestamps = strandline::timestamp_type::none;
    };

    static std::optional<bytes> span_of(const std::byte* data, std::int32_t size) noexcept {
        if (size < 0) return std::nullopt;
        return bytes{data, static_cast<std::size_t>(size)};
    }
    static std::optional<std::string_view> text_of(const std::byte* data, std::int32_t size) noexcept {
        if (size < 0) return std::nullopt;
        return std::string_view{reinterpret_cast<const char*>(data), static_cast<std::size_t>(size)};
    }

    std::int64_t offset_ = 0;
    std::int64_t timestamp_ = -1;
    const std::byte* key_data_ = nullptr;
    const std::byte* value_data_ = nullptr;
    const std::byte* header_data_ = nullptr;
    std::int32_t key_size_ = -1;
    std::int32_t value_size_ = -1;
    std::int32_t header_count_ = 0;
    const batch* batch_ = nullptr;
};

}  // namespace v0
}  // namespace strandline
