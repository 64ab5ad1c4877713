// Parsing by Boost.JSON; writing the value again takes differences of escaping away but keeps the order of the fields.
#include "tests/live/record_lines.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <stdexcept>

#include <boost/json.hpp>

namespace strandline::live {

namespace {

record_line record_of(const std::string& line) {
    boost::system::error_code failure;
    const auto value = boost::json::parse(line, failure);
    if (failure || !value.is_object()) throw std::runtime_error("not a JSON object: " + line);
    return {.topic = boost::json::value_to<std::string>(value.at("topic")),
            .partition = value.at("partition").to_number<int>(),
            .offset = value.at("offset").to_number<std::int64_t>(),
            .text = boost::json::serialize(value)};
}

testing::AssertionResult in_order(const std::vector<record_line>& records) {
    std::map<std::pair<std::string, int>, std::int64_t> last;
    for (const auto& record : records) {
        const auto [seen, first] = last.try_emplace({record.topic, record.partition}, record.offset);
        if (!first && record.offset <= seen->second) {
            return testing::AssertionFailure() << record.text << " came after offset " << seen->second;
        }
        seen->second = record.offset;
    }
    return testing::AssertionSuccess();
}

testing::AssertionResult same_sets(std::vector<record_line> ours, std::vector<record_line> theirs) {
    std::ranges::sort(ours);
    std::ranges::sort(theirs);
    const auto [mine, other] = std::ranges::mismatch(ours, theirs);
    if (mine == ours.end() && other == theirs.end()) return testing::AssertionSuccess();
    auto failure = testing::AssertionFailure() << ours.size() << " records, Kafka has " << theirs.size();
    if (mine != ours.end() && mine != ours.begin() && *mine == *std::prev(mine)) {
        return failure << "; printed twice: " << mine->text;
    }
    return failure << "; first difference:\n  ours:  " << (mine == ours.end() ? "(none)" : mine->text)
                   << "\n  Kafka: " << (other == theirs.end() ? "(none)" : other->text);
}

std::vector<record_line> together(const std::vector<std::vector<std::string>>& runs) {
    std::vector<record_line> all;
    for (const auto& run : runs) std::ranges::move(records_of(run), std::back_inserter(all));
    return all;
}

}  // namespace

std::vector<record_line> records_of(const std::vector<std::string>& lines) {
    std::vector<record_line> records;
    records.reserve(lines.size());
    for (const auto& line : lines) records.push_back(record_of(line));
    return records;
}

testing::AssertionResult same_records(const std::vector<std::string>& ours, const std::vector<std::string>& kafkas) {
    auto records = records_of(ours);
    const auto order = in_order(records);
    return order ? same_sets(std::move(records), records_of(kafkas)) : order;
}

testing::AssertionResult each_record_once(const std::vector<std::vector<std::string>>& runs,
                                          const std::vector<std::string>& kafkas) {
    for (const auto& run : runs) {
        if (const auto order = in_order(records_of(run)); !order) return order;
    }
    return same_sets(together(runs), records_of(kafkas));
}

testing::AssertionResult no_record_missing(const std::vector<std::vector<std::string>>& runs,
                                           const std::vector<std::string>& kafkas) {
    const auto all = together(runs);
    const std::set<record_line> printed(all.begin(), all.end());
    std::size_t missing = 0;
    std::string first;
    for (const auto& record : records_of(kafkas)) {
        if (printed.contains(record)) continue;
        if (missing++ == 0) first = record.text;
    }
    if (missing == 0) return testing::AssertionSuccess();
    return testing::AssertionFailure() << missing << " records were never printed; the first: " << first;
}

std::map<std::string, std::int64_t> next_offsets(const std::vector<std::string>& lines) {
    std::map<std::string, std::int64_t> next;
    for (const auto& record : records_of(lines)) {
        auto& offset = next[record.topic + "-" + std::to_string(record.partition)];
        offset = std::max(offset, record.offset + 1);
    }
    return next;
}

testing::AssertionResult committed_as_printed(const std::map<std::string, std::int64_t>& committed,
                                              const std::vector<std::string>& lines) {
    const auto printed = next_offsets(lines);
    for (const auto& [partition, next] : printed) {
        const auto found = committed.find(partition);
        const auto there = found == committed.end() ? -1 : found->second;
        if (there != next) {
            return testing::AssertionFailure()
                   << partition << " is committed at " << there << ", printed up to " << next;
        }
    }
    for (const auto& [partition, offset] : committed) {
        if (offset != 0 && !printed.contains(partition)) {
            return testing::AssertionFailure() << partition << " is committed at " << offset << ", nothing was printed";
        }
    }
    return testing::AssertionSuccess();
}

}  // namespace strandline::live
