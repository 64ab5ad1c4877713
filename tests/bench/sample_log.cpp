#include "tests/bench/sample_log.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "records/batch_builder.hpp"
#include "records/batch_layout.hpp"

namespace strandline::bench {
namespace {

constexpr std::size_t batches_in_cycle = 4;
constexpr std::int64_t timestamp = 1'700'000'000'000;

// Text that compresses about as well as messages do: few words in random order.
std::string random_text(std::mt19937& random, std::size_t size) {
    static constexpr std::string_view words[] = {"order",  "customer", "2024-05-17", "amount", "currency", "EUR",
                                                 "status", "shipped",  "pending",    "item",   "quantity", "warehouse"};
    std::string text;
    while (text.size() < size) {
        text += words[random() % std::size(words)];
        text += std::to_string(random() % 1000);
    }
    text.resize(size);
    return text;
}

}  // namespace

records::compression_codec codec_named(const std::string& name) {
    for (std::uint8_t number = 0; number < records::compression_codec_count; ++number) {
        const auto codec = static_cast<records::compression_codec>(number);
        if (to_string(codec) == name) return codec;
    }
    throw std::runtime_error("no codec is called '" + name + "'");
}

sample_log::sample_log(const log_shape& shape)
    : records_per_batch_(
          static_cast<std::int64_t>(std::max<std::size_t>(1, shape.batch_bytes / (shape.value_size + 8)))) {
    std::mt19937 random(1);
    for (std::size_t batch = 0; batch < batches_in_cycle; ++batch) {
        records::batch_builder builder({.codec = shape.codec});
        for (std::int64_t i = 0; i < records_per_batch_; ++i) {
            const auto value = random_text(random, shape.value_size);
            const auto bytes = base::as_bytes(value);
            builder.append({.timestamp = timestamp, .value = bytes});
            sums_.push_back(sums_.back() + touch(bytes.data(), bytes.size()));
        }
        batches_.push_back(builder.build());
    }
}

base::bytes_view sample_log::batch_after_offset_field(std::int64_t offset) const noexcept {
    const auto which = static_cast<std::size_t>(offset / records_per_batch_) % batches_.size();
    return batches_[which].view().subspan(records::batch_layout::length);
}

std::uint64_t sample_log::sum_of_first(std::int64_t count) const noexcept {
    const auto cycle = sums_.size() - 1;
    const auto records = static_cast<std::size_t>(count);
    return records / cycle * sums_.back() + sums_[records % cycle];
}

}  // namespace strandline::bench
