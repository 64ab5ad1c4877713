// Batches against Kafka's own record classes, both ways: what they write we read, and what we write they read, in every
// magic and codec. STRANDLINE_CONFORMANCE_BATCHES says how many of each (50), STRANDLINE_CONFORMANCE_SEED repeats a
// run.
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random_source.hpp"
#include "records/batch_builder.hpp"
#include "records/batch_scanner.hpp"
#include "records/record_reader.hpp"
#include "tests/conformance/kafka_records.hpp"

namespace strandline::conformance {
namespace {

using records::compression_codec;
using records::timestamp_type;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before anything else runs
    return text ? std::stoull(text) : otherwise;
}

struct sample_record {
    std::int64_t offset = 0;
    std::int64_t timestamp = 0;
    std::optional<std::string> key = std::nullopt;
    std::optional<std::string> value = std::nullopt;
    std::vector<std::pair<std::string, std::optional<std::string>>> headers = {};
};

struct sample_batch {
    records::batch_options options;
    std::vector<sample_record> records;
};

std::string text_of(const std::optional<std::string>& bytes) { return bytes ? to_hex(base::as_bytes(*bytes)) : "~"; }

std::string_view kafka_name(timestamp_type type) {
    switch (type) {
        case timestamp_type::none: return "NoTimestampType";
        case timestamp_type::create_time: return "CreateTime";
        case timestamp_type::log_append_time: return "LogAppendTime";
    }
    return "";
}

// Mostly small; now and then larger than the blocks that codecs work in.
std::string random_bytes(base::random_source& random) {
    const std::uint64_t kind = random.below(40);
    const std::uint64_t size = kind == 0 ? random.below(150'000) : kind < 4 ? random.below(2'000) : random.below(40);
    const std::uint64_t alphabet = random.below(2) == 0 ? 4 : 256;
    std::string bytes;
    for (std::uint64_t i = 0; i < size; ++i) bytes += static_cast<char>(random.below(alphabet));
    return bytes;
}

std::optional<std::string> random_nullable(base::random_source& random) {
    switch (random.below(5)) {
        case 0: return std::nullopt;
        case 1: return "";
        default: return random_bytes(random);
    }
}

std::string random_name(base::random_source& random) {
    std::string name;
    for (std::uint64_t i = random.below(100); i > 0; --i) name += static_cast<char>('a' + random.below(26));
    return name;
}

sample_batch random_batch(base::random_source& random, std::int8_t magic, compression_codec codec) {
    sample_batch batch;
    auto& options = batch.options;
    options.magic = magic;
    options.codec = codec;
    options.base_offset = static_cast<std::int64_t>(random.below(1ULL << 40U));
    if (magic == 0) {
        options.timestamp_type = timestamp_type::none;
    } else if (random.below(4) == 0) {
        options.timestamp_type = timestamp_type::log_append_time;
        options.log_append_time = static_cast<std::int64_t>(random.below(1ULL << 41U));
    }
    if (magic == 2 && random.below(2) == 0) {
        options.producer_id = static_cast<std::int64_t>(random.below(1ULL << 50U));
        options.producer_epoch = static_cast<std::int16_t>(random.below(1U << 15U));
        options.base_sequence = static_cast<std::int32_t>(random.below(1U << 31U));
        options.transactional = random.below(2) == 0;
    }
    std::int64_t offset = options.base_offset;
    const auto first_timestamp = static_cast<std::int64_t>(random.below(1ULL << 41U));
    for (std::uint64_t left = 1 + random.below(30); left > 0; --left) {
        sample_record record{.offset = offset, .key = random_nullable(random), .value = random_nullable(random)};
        record.timestamp = magic == 0 ? -1 : first_timestamp + static_cast<std::int64_t>(random.below(1U << 20U));
        if (magic == 2 && random.below(3) == 0) {
            for (std::uint64_t headers = random.below(5); headers > 0; --headers) {
                record.headers.emplace_back(random_name(random), random_nullable(random));
            }
        }
        batch.records.push_back(std::move(record));
        offset += 1 + (random.below(5) == 0 ? static_cast<std::int64_t>(random.below(1000)) : 0);
    }
    return batch;
}

std::string text_of(const sample_record& record, std::int64_t timestamp) {
    std::string text = std::to_string(record.offset) + ':' + std::to_string(timestamp) + ':' + text_of(record.key) +
                       ':' + text_of(record.value) + ':';
    std::string_view separator;
    for (const auto& [name, value] : record.headers) {
        text += separator;
        text += to_hex(base::as_bytes(name)) + '=' + text_of(value);
        separator = ",";
    }
    return text;
}

std::string description_of(const sample_batch& batch) {
    const auto& options = batch.options;
    std::string text = std::to_string(options.magic) + ' ' + std::string(to_string(options.codec)) + ' ' +
                       std::string(kafka_name(options.timestamp_type)) + ' ' + std::to_string(options.log_append_time) +
                       ' ' + std::to_string(options.base_offset) + ' ' + std::to_string(options.producer_id) + ' ' +
                       std::to_string(options.producer_epoch) + ' ' + std::to_string(options.base_sequence) + ' ' +
                       (options.transactional ? "true" : "false");
    for (const auto& record : batch.records) text += ' ' + text_of(record, record.timestamp);
    return text;
}

base::shared_bytes build(const sample_batch& batch) {
    records::batch_builder builder(batch.options);
    for (const auto& record : batch.records) {
        std::vector<records::record_header> headers;
        const auto view = [](const std::optional<std::string>& bytes) {
            return bytes ? std::optional(base::as_bytes(*bytes)) : std::nullopt;
        };
        for (const auto& [name, value] : record.headers) headers.push_back({name, view(value)});
        builder.append_at(
            record.offset,
            {.timestamp = record.timestamp, .key = view(record.key), .value = view(record.value), .headers = headers});
    }
    return builder.build();
}

// What we read, in the words of RecordsHelper.
std::string read(const base::shared_bytes& bytes) {
    std::string text;
    records::batch_scanner scanner(bytes);
    records::decompression_context context;
    records::record_batch batch;
    records::scan_status status;
    while ((status = scanner.next(batch)) == records::scan_status::batch) {
        records::record_reader reader(batch, context);
        records::record_view view;
        std::string read_records;
        std::int64_t first_offset = -1;
        records::read_status read;
        while ((read = reader.next(view)) == records::read_status::record) {
            sample_record record{.offset = view.offset};
            const auto copy = [](const std::optional<base::bytes_view>& bytes_read) {
                return bytes_read ? std::optional(std::string(base::as_text(*bytes_read))) : std::nullopt;
            };
            record.key = copy(view.key());
            record.value = copy(view.value());
            for (const auto& header : view.headers()) record.headers.emplace_back(header.name, copy(header.value));
            if (first_offset < 0) first_offset = view.offset;
            if (!read_records.empty()) read_records += ';';
            read_records += text_of(record, view.timestamp);
        }
        if (read == records::read_status::corrupt) return to_string(reader.error());
        if (!text.empty()) text += ' ';
        // Kafka decompresses an old message to tell its first offset; we tell it from the first record.
        text += std::to_string(batch.record_count() < 0 ? first_offset : batch.base_offset()) + '/' +
                std::to_string(batch.last_offset()) + '/' + std::to_string(batch.next_offset()) + '/' +
                std::to_string(batch.magic()) + '/' + std::string(to_string(batch.codec())) + '/' +
                std::string(kafka_name(batch.timestamp_type())) + '/' + std::to_string(batch.max_timestamp()) + '/' +
                std::to_string(batch.producer_id()) + '/' + std::to_string(batch.producer_epoch()) + '/' +
                std::to_string(batch.base_sequence()) + '/' + (batch.is_transactional() ? "true" : "false") + '/' +
                (batch.is_control() ? "true" : "false") + "/[" + read_records + ']';
    }
    return status == records::scan_status::corrupt ? to_string(scanner.error()) : text;
}

// The records alone, as they went in.
std::string records_of(const sample_batch& batch) {
    std::string text;
    for (const auto& record : batch.records) {
        const bool append_time = batch.options.timestamp_type == timestamp_type::log_append_time;
        text += text_of(record, append_time ? batch.options.log_append_time : record.timestamp) + ';';
    }
    return text;
}

// The records alone, out of the text of one or more batches.
std::string records_in(const std::string& batches) {
    std::string text;
    for (std::size_t open = batches.find('['); open != std::string::npos; open = batches.find('[', open + 1)) {
        text += batches.substr(open + 1, batches.find(']', open) - open - 1) + ';';
    }
    return text;
}

class records_conformance : public testing::TestWithParam<std::pair<std::int8_t, compression_codec>> {};

std::vector<std::pair<std::int8_t, compression_codec>> formats() {
    std::vector<std::pair<std::int8_t, compression_codec>> all;
    for (std::int8_t magic = 0; magic <= 2; ++magic) {
        for (std::uint8_t codec = 0; codec < records::compression_codec_count; ++codec) {
            const auto name = static_cast<compression_codec>(codec);
            if (magic == 2 || name != compression_codec::zstd) all.emplace_back(magic, name);
        }
    }
    return all;
}

TEST_P(records_conformance, kafka_and_we_read_the_same_from_what_either_writes) {
    const auto [magic, codec] = GetParam();
    const auto seed = from_environment("STRANDLINE_CONFORMANCE_SEED", 1) + static_cast<std::uint64_t>(magic) * 10 +
                      static_cast<std::uint64_t>(codec);
    const auto batches = from_environment("STRANDLINE_CONFORMANCE_BATCHES", 50);
    base::seeded_random random(seed);
    kafka_records kafka;
    std::size_t records = 0;
    std::size_t bytes = 0;
    for (std::uint64_t i = 0; i < batches; ++i) {
        const auto sample = random_batch(random, magic, codec);
        const auto theirs = kafka.write(description_of(sample));
        const auto ours = build(sample);
        for (const auto& written : {theirs, ours}) {
            const auto by_us = read(written);
            ASSERT_EQ(by_us, kafka.read(written)) << "seed " << seed << ", batch " << i;
            ASSERT_EQ(records_in(by_us), records_of(sample)) << "seed " << seed << ", batch " << i;
            bytes += written.size();
        }
        // Where no codec has a choice, the bytes are the same too; Kafka's builder stamps no leader epoch but 0.
        if (codec == compression_codec::none) {
            ASSERT_EQ(theirs, ours) << "seed " << seed << ", batch " << i;
        }
        records += sample.records.size();
    }
    std::cout << "magic " << int{magic} << ' ' << to_string(codec) << ": " << batches << " batches each way, "
              << records << " records, " << bytes << " bytes\n";
}

INSTANTIATE_TEST_SUITE_P(every_magic_and_codec, records_conformance, testing::ValuesIn(formats()),
                         [](const auto& format) {
                             return "magic_" + std::to_string(format.param.first) + '_' +
                                    std::string(to_string(format.param.second));
                         });

TEST(records_conformance, transaction_markers_are_the_same_bytes) {
    kafka_records kafka;
    for (const auto type : {records::control_record_type::abort, records::control_record_type::commit}) {
        const auto ours = records::make_transaction_marker(type, 123, 45, 6, 7, 8'000);
        const std::string name = type == records::control_record_type::abort ? "ABORT" : "COMMIT";
        EXPECT_EQ(kafka.marker(name + " 123 45 6 7 8000"), ours);
        EXPECT_EQ(read(ours), kafka.read(ours));
    }
}

}  // namespace
}  // namespace strandline::conformance
