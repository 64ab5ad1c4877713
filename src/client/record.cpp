#include <strandline/record.hpp>

#include "records/record_header.hpp"

namespace strandline::inline v0 {

namespace {

std::optional<std::vector<std::byte>> copy_of(const std::optional<bytes>& data) {
    if (!data) return std::nullopt;
    return std::vector<std::byte>(data->begin(), data->end());
}

}  // namespace

void header_range::iterator::decode() noexcept {
    const auto read = strandline::records::read_header(at_);
    current_ = {read.name, read.value};
}

owned_record record::to_owned() const {
    owned_record copy{topic_partition(), offset(),       timestamp(),      timestamp_type(),
                      leader_epoch(),    copy_of(key()), copy_of(value()), {}};
    copy.headers.reserve(headers().size());
    for (const auto& each : headers()) copy.headers.push_back({std::string(each.name), copy_of(each.value)});
    return copy;
}

}  // namespace strandline::inline v0
