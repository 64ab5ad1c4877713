#include <strandline/record.hpp>

#include "records/header_range.hpp"
#include "records/varint.hpp"

namespace strandline::inline v0 {

namespace {

std::optional<std::vector<std::byte>> copy_of(const std::optional<bytes>& data) {
    if (!data) return std::nullopt;
    return std::vector<std::byte>(data->begin(), data->end());
}

}  // namespace

void header_range::iterator::decode() noexcept {
    // The extent of each header was checked when its record was decoded.
    std::uint32_t encoded = 0;
    strandline::records::read_varint_unchecked(at_, encoded);
    const auto name_size = static_cast<std::size_t>(strandline::records::from_zig_zag(encoded));
    current_.name = as_text({at_, name_size});
    at_ += name_size;
    strandline::records::read_varint_unchecked(at_, encoded);
    const auto value_size = strandline::records::from_zig_zag(encoded);
    current_.value.reset();
    if (value_size < 0) return;
    current_.value = bytes{at_, static_cast<std::size_t>(value_size)};
    at_ += value_size;
}

owned_record record::to_owned() const {
    owned_record copy{topic_partition(), offset(),       timestamp(),      timestamp_type(),
                      leader_epoch(),    copy_of(key()), copy_of(value()), {}};
    copy.headers.reserve(headers().size());
    for (const auto& each : headers()) copy.headers.push_back({std::string(each.name), copy_of(each.value)});
    return copy;
}

}  // namespace strandline::inline v0
