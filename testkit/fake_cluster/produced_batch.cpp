#include "testkit/fake_cluster/produced_batch.hpp"

#include <optional>
#include <string>

#include "records/batch_builder.hpp"

namespace strandline::testkit::fake {

namespace {

std::optional<base::bytes_view> bytes_of(const std::optional<std::string>& text) {
    if (!text) return std::nullopt;
    return base::as_bytes(*text);
}

}  // namespace

base::shared_bytes batch_of(const std::vector<fake_record>& records, base::wall_time now) {
    records::batch_builder builder;
    for (const auto& record : records) {
        std::vector<records::record_header> headers;
        for (const auto& header : record.headers) headers.push_back({header.name, bytes_of(header.value)});
        builder.append({.timestamp = record.timestamp.value_or(now).time_since_epoch().count(),
                        .key = bytes_of(record.key),
                        .value = bytes_of(record.value),
                        .headers = headers});
    }
    return builder.build();
}

}  // namespace strandline::testkit::fake
