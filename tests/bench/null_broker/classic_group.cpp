#include "tests/bench/null_broker/classic_group.hpp"

#include <string_view>
#include <utility>

#include "protocol/api_key.hpp"
#include "protocol/reader.hpp"
#include "protocol/writer.hpp"

namespace strandline::bench {
namespace {

using protocol::api_key;
using protocol::reader;
using protocol::writer;

// Null reads as empty.
std::string_view read_string(reader& in) {
    const auto size = in.int16();
    return size < 0 ? std::string_view{} : base::as_text(in.raw(static_cast<std::size_t>(size)));
}
base::bytes_view read_bytes(reader& in) {
    const auto size = in.int32();
    return size < 0 ? base::bytes_view{} : in.raw(static_cast<std::size_t>(size));
}
void write_string(writer& out, std::string_view text) {
    out.int16(static_cast<std::int16_t>(text.size()));
    out.raw(base::as_bytes(text));
}
void write_bytes(writer& out, base::bytes_view bytes) {
    out.int32(static_cast<std::int32_t>(bytes.size()));
    out.raw(bytes);
}

// Versions 0 to 5. The first of the member's protocols wins.
void join(reader& in, writer& out, std::int16_t version) {
    read_string(in);  // group
    in.int32();       // session timeout
    if (version >= 1) in.int32();
    auto member = read_string(in);
    if (member.empty()) member = "member";
    if (version >= 5) read_string(in);  // group instance
    read_string(in);                    // protocol type
    in.int32();                         // number of protocols
    const auto protocol = read_string(in);
    const auto metadata = read_bytes(in);

    if (version >= 2) out.int32(0);  // throttle time
    out.int16(0);
    out.int32(1);  // generation
    write_string(out, protocol);
    write_string(out, member);  // leader
    write_string(out, member);
    out.int32(1);
    write_string(out, member);
    if (version >= 5) out.int16(-1);
    write_bytes(out, metadata);
}

// Versions 0 to 3. The leader, who is the only member, gets what it assigned itself.
void sync(reader& in, writer& out, std::int16_t version) {
    read_string(in);  // group
    in.int32();       // generation
    read_string(in);  // member
    if (version >= 3) read_string(in);
    base::bytes_view assignment;
    if (in.int32() > 0) {
        read_string(in);
        assignment = read_bytes(in);
    }
    if (version >= 1) out.int32(0);
    out.int16(0);
    write_bytes(out, assignment);
}

}  // namespace

std::optional<base::shared_bytes> answer_classic_group(base::bytes_view frame) {
    reader in(frame);
    const auto key = static_cast<api_key>(in.int16());
    const auto version = in.int16();
    const auto correlation = in.int32();
    read_string(in);  // client id
    writer out(256);
    out.int32(0);
    out.int32(correlation);
    switch (key) {
        case api_key::join_group: join(in, out, version); break;
        case api_key::sync_group: sync(in, out, version); break;
        case api_key::heartbeat:
        case api_key::leave_group:
            if (version >= 1) out.int32(0);
            out.int16(0);
            break;
        default: return std::nullopt;
    }
    if (in.failed()) return std::nullopt;
    out.patch_int32(0, static_cast<std::int32_t>(out.size() - sizeof(std::int32_t)));
    return std::move(out).take();
}

}  // namespace strandline::bench
