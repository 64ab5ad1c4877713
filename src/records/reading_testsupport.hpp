// For tests of this room: everything a scan and its readers yield, copied into values that compare and print.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "records/batch_builder.hpp"
#include "records/batch_scanner.hpp"
#include "records/record_reader.hpp"

namespace strandline::records::testsupport {

struct owned_record {
    std::int64_t offset = 0;
    std::int64_t timestamp = 0;
    std::optional<std::string> key;
    std::optional<std::string> value;
    std::vector<std::pair<std::string, std::optional<std::string>>> headers;

    friend bool operator==(const owned_record&, const owned_record&) = default;
};

inline std::optional<std::string> copy_of(const std::optional<base::bytes_view>& bytes) {
    return bytes ? std::optional(std::string(base::as_text(*bytes))) : std::nullopt;
}

inline owned_record copy_of(const record_view& view) {
    owned_record record{view.offset, view.timestamp, copy_of(view.key()), copy_of(view.value()), {}};
    for (const auto& header : view.headers()) record.headers.emplace_back(header.name, copy_of(header.value));
    return record;
}

inline std::ostream& operator<<(std::ostream& out, const owned_record& record) {
    out << record.offset << '@' << record.timestamp << ' ' << record.key.value_or("null") << '='
        << record.value.value_or("null");
    for (const auto& [name, value] : record.headers) out << ' ' << name << ':' << value.value_or("null");
    return out;
}

struct everything_read {
    std::vector<owned_record> records;
    std::int64_t next_offset = -1;  // after the last whole batch
    scan_status ending = scan_status::end;
    std::optional<record_error> error;  // of the scan or of a reader; nothing is read after it
};

inline everything_read read_all(const base::shared_bytes& bytes, const scan_options& scan = {},
                                const read_options& read = {}) {
    everything_read all;
    batch_scanner scanner(bytes, scan);
    decompression_context context;
    record_batch batch;
    while ((all.ending = scanner.next(batch)) == scan_status::batch) {
        record_reader reader(batch, context, read);
        record_view view;
        auto status = reader.next(view);
        for (; status == read_status::record; status = reader.next(view)) all.records.push_back(copy_of(view));
        if (status == read_status::corrupt) {
            all.error = reader.error();
            return all;
        }
        all.next_offset = batch.next_offset();
    }
    if (all.ending == scan_status::corrupt) all.error = scanner.error();
    return all;
}

inline std::vector<std::int64_t> offsets_of(const std::vector<owned_record>& records) {
    std::vector<std::int64_t> offsets;
    for (const auto& record : records) offsets.push_back(record.offset);
    return offsets;
}

inline base::shared_bytes joined(const std::vector<base::shared_bytes>& parts) {
    std::string all;
    for (const auto& part : parts) all += base::as_text(part);
    return base::shared_bytes::copy_of(base::as_bytes(all));
}

inline base::shared_bytes from_hex(std::string_view hex) {
    const auto digit = [](char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); };
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(digit(hex[i]) << 4U | digit(hex[i + 1]));
    }
    return base::shared_bytes::copy_of(base::as_bytes(bytes));
}

inline std::vector<std::byte> writable_copy(const base::shared_bytes& bytes) {
    return {bytes.view().begin(), bytes.view().end()};
}

inline new_record value_of(std::string_view value, std::int64_t timestamp = 0) {
    return {.timestamp = timestamp, .key = {}, .value = base::as_bytes(value)};
}

}  // namespace strandline::records::testsupport
