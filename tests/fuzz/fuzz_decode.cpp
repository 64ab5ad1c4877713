// Every decoder of the wire. The first byte picks a message or a header, the second its version, the rest is the body.
// What can be read must be written again, and read as the same.
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "protocol/codec.hpp"
#include "protocol/header.hpp"
#include "tests/fuzz/decoder_choices.hpp"

using namespace strandline;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void require_inside(const protocol::codec_error& error, const base::shared_bytes& body) {
    require(!error.message.empty() && error.offset <= body.size());
}

template <class Message>
void read_and_write(const base::shared_bytes& body, std::uint8_t choice) {
    const auto version = fuzz::version_of<Message>(choice);
    const auto message = protocol::decode<Message>(body, version);
    if (!message) return require_inside(message.error(), body);

    protocol::writer out;
    require(protocol::encode(out, *message, version).has_value());
    require(out.size() == protocol::measure(*message, version));
    const auto again = protocol::decode<Message>(std::move(out).take(), version);
    require(again.has_value() && *again == *message);
}

void split_headers(const base::shared_bytes& frame, std::uint8_t choice) {
    const auto request = protocol::split_request(frame);
    if (!request) require_inside(request.error(), frame);
    const auto key = protocol::api_key{static_cast<std::int16_t>(choice / 2)};
    const auto response = protocol::split_response(frame, key, choice % 2 == 0 ? std::int16_t{0} : std::int16_t{127});
    if (!response) require_inside(response.error(), frame);
    require(protocol::peek_correlation_id(frame).has_value() == (frame.size() >= 4));
}

using decoder = void (*)(const base::shared_bytes&, std::uint8_t);

std::vector<decoder> all_decoders() {
    std::vector<decoder> decoders{&split_headers};  // fuzz::headers_choice
    fuzz::for_each_message([&]<class Message>(std::uint8_t choice) {
        require(decoders.size() == choice);
        decoders.push_back(&read_and_write<Message>);
    });
    return decoders;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto decoders = all_decoders();
    if (size < 2) return 0;
    // A copy of its own, so that the sanitizer sees one byte too far.
    const auto body = base::shared_bytes::copy_of({reinterpret_cast<const std::byte*>(data + 2), size - 2});
    decoders[data[0] % decoders.size()](body, data[1]);
    return 0;
}
