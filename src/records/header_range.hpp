// The headers of one record, decoded while iterating.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/bytes.hpp"

namespace strandline::records {

// Names may repeat and their order counts. A null value is not an empty one.
struct record_header {
    std::string_view name;
    std::optional<base::bytes_view> value;
};
bool operator==(const record_header& a, const record_header& b) noexcept;

// Walks bytes whose extent was checked when the record was decoded, so iterating cannot fail.
class header_range {
public:
    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = record_header;
        using difference_type = std::ptrdiff_t;
        using pointer = const record_header*;
        using reference = const record_header&;

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
        record_header current_;
    };

    header_range() noexcept = default;
    // `at` must hold `count` well-formed headers.
    header_range(const std::byte* at, std::int32_t count) noexcept : at_(at), count_(count) {}

    iterator begin() const noexcept { return {at_, count_}; }
    iterator end() const noexcept { return {nullptr, 0}; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(count_); }
    bool empty() const noexcept { return count_ == 0; }

private:
    const std::byte* at_ = nullptr;
    std::int32_t count_ = 0;
};

}  // namespace strandline::records
