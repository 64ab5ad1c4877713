// The lines of `strandline consume -J`, and of Kafka's own consumer in the same layout, compared as records.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace strandline::live {

struct record_line {
    std::string topic;
    int partition = 0;
    std::int64_t offset = 0;
    // The whole record, its JSON written in one way.
    std::string text;

    auto operator<=>(const record_line&) const = default;
};

// In the order of the lines. Throws std::runtime_error at a line that is no such JSON object.
std::vector<record_line> records_of(const std::vector<std::string>& lines);

// Both hold the same records, each once; the order between partitions is free, within one it is by offset.
testing::AssertionResult same_records(const std::vector<std::string>& ours, const std::vector<std::string>& kafkas);

// Together the runs hold exactly Kafka's records, and none twice, wherever it was printed.
testing::AssertionResult each_record_once(const std::vector<std::vector<std::string>>& runs,
                                          const std::vector<std::string>& kafkas);

// Every one of Kafka's records is in some run.
testing::AssertionResult no_record_missing(const std::vector<std::vector<std::string>>& runs,
                                           const std::vector<std::string>& kafkas);

// "topic-partition" -> the offset after the last record printed.
std::map<std::string, std::int64_t> next_offsets(const std::vector<std::string>& lines);

// The committed offsets are those after the last records printed; a partition of which nothing was printed may stand at
// its beginning, 0.
testing::AssertionResult committed_as_printed(const std::map<std::string, std::int64_t>& committed,
                                              const std::vector<std::string>& lines);

}  // namespace strandline::live
