// What a handler answers: now, later, or never.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/instant.hpp"
#include "protocol/response_frame.hpp"
#include "testkit/fake_cluster/cut_to_version.hpp"
#include "testkit/fake_cluster/named_errors.hpp"

namespace strandline::testkit::fake {

// A response of any API as one type.
class any_response {
public:
    template <class Message>
    any_response(Message message)  // NOLINT: a wrapper
        : message_(std::make_shared<const Message>(std::move(message))),
          frame_(&frame_of<Message>),
          errors_(&errors_of<Message>) {}

    // Length, header and body. Whatever this version has no field for is left out.
    protocol::result<base::shared_bytes> frame(std::int16_t version, protocol::correlation_id id) const {
        return frame_(message_.get(), version, id);
    }
    // Every error that stands anywhere in it.
    error_set errors() const { return errors_(message_.get()); }

private:
    using framed = protocol::result<base::shared_bytes>;

    template <class Message>
    static framed frame_of(const void* which, std::int16_t version, protocol::correlation_id id) {
        const auto& message = *static_cast<const Message*>(which);
        auto frame = protocol::encode_response_frame(message, version, id);
        if (frame) return frame;
        auto less = message;
        cut_to_version(less, version);
        return protocol::encode_response_frame(less, version, id);
    }
    template <class Message>
    static error_set errors_of(const void* which) {
        error_set found;
        note_errors(*static_cast<const Message*>(which), found);
        return found;
    }

    std::shared_ptr<const void> message_;
    framed (*frame_)(const void*, std::int16_t, protocol::correlation_id);
    error_set (*errors_)(const void*);
};

class reply {
public:
    // Asked again after every change in the cluster; with `expired` it must answer.
    using attempt = std::function<std::optional<any_response>(base::instant now, bool expired)>;

    static reply now(any_response response) { return reply(std::move(response), base::never, {}); }
    // As acks=0 wants it.
    static reply never() { return reply(std::nullopt, base::never, {}); }
    static reply later(base::instant deadline, attempt again) {
        return reply(std::nullopt, deadline, std::move(again));
    }

    const std::optional<any_response>& response() const noexcept { return response_; }
    bool is_later() const noexcept { return static_cast<bool>(again_); }
    base::instant deadline() const noexcept { return deadline_; }
    std::optional<any_response> try_again(base::instant now, bool expired) const { return again_(now, expired); }

private:
    reply(std::optional<any_response> response, base::instant deadline, attempt again)
        : response_(std::move(response)), deadline_(deadline), again_(std::move(again)) {}

    std::optional<any_response> response_;
    base::instant deadline_;
    attempt again_;
};

}  // namespace strandline::testkit::fake
