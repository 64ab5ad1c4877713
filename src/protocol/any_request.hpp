// A request of any API as one type, for those who send requests without caring which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"
#include "protocol/codec.hpp"
#include "protocol/message.hpp"

namespace strandline::protocol {

class any_request {
public:
    template <request_message Message>
    any_request(Message message) : held_(std::make_unique<held<Message>>(std::move(message))) {}  // NOLINT: a wrapper

    api_key key() const noexcept { return held_->key(); }
    std::int16_t min_version() const noexcept { return held_->min_version(); }
    std::int16_t max_version() const noexcept { return held_->max_version(); }

    // The body. After an error `out` holds a broken message.
    [[nodiscard]] result<void> encode(writer& out, std::int16_t version) const { return held_->encode(out, version); }
    std::size_t measure(std::int16_t version) const { return held_->measure(version); }

    // The message, if it is one of this type.
    template <request_message Message>
    const Message* get_if() const noexcept {
        return key() == Message::key ? &static_cast<const held<Message>&>(*held_).message : nullptr;
    }

private:
    struct holder {
        virtual ~holder() = default;
        virtual api_key key() const noexcept = 0;
        virtual std::int16_t min_version() const noexcept = 0;
        virtual std::int16_t max_version() const noexcept = 0;
        virtual result<void> encode(writer& out, std::int16_t version) const = 0;
        virtual std::size_t measure(std::int16_t version) const = 0;
    };

    template <class Message>
    struct held final : holder {
        explicit held(Message value) : message(std::move(value)) {}
        api_key key() const noexcept override { return Message::key; }
        std::int16_t min_version() const noexcept override { return Message::min_version; }
        std::int16_t max_version() const noexcept override { return Message::max_version; }
        result<void> encode(writer& out, std::int16_t version) const override {
            return protocol::encode(out, message, version);
        }
        std::size_t measure(std::int16_t version) const override { return protocol::measure(message, version); }

        Message message;
    };

    std::unique_ptr<const holder> held_;
};

// The complete frame: length, header, body, in one allocation.
result<base::shared_bytes> encode_request_frame(const any_request& request, std::int16_t version, correlation_id id,
                                                std::string_view client_id);

}  // namespace strandline::protocol
