// The inputs that would let a manager go on. Never empty; each has a producer.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/kernel/future_instant.hpp"

namespace strandline::core::kernel {

// One bit each in a mask: at most 32 views, and 32 managers.
using view_index = std::uint8_t;
// Position in the declared order: lower ones are asked first.
using manager_index = std::uint8_t;

enum class input_kind : std::uint8_t {
    response,         // to a request in flight; its own expiry is part of it
    timer,            // an instant ahead
    acknowledgement,  // of a callback or a fence, by the application
    command,          // from the application
    queue_space,      // data that waits for the application is taken, or given back
    space,            // the same, or memory is freed, whoever held it
    view,             // a newer version of state that another manager owns
};

struct awaited {
    input_kind kind;
    std::uint64_t id = 0;               // request id, callback id, view index; 0 where the kind says all
    base::instant until = base::never;  // when this input comes at the latest by itself

    friend bool operator==(const awaited&, const awaited&) = default;

    static awaited response(std::uint64_t request_id, base::instant expires_at) noexcept {
        return {input_kind::response, request_id, expires_at};
    }
    static awaited timer(future_instant when) noexcept { return {input_kind::timer, 0, when.value()}; }
    static awaited acknowledgement(std::uint64_t id) noexcept { return {input_kind::acknowledgement, id}; }
    static awaited command() noexcept { return {input_kind::command}; }
    static awaited queue_space() noexcept { return {input_kind::queue_space}; }
    static awaited space() noexcept { return {input_kind::space}; }
    static awaited view(view_index index) noexcept { return {input_kind::view, index}; }
};

class await_set {
public:
    explicit await_set(awaited first) noexcept { add(first); }

    await_set& add(awaited input) noexcept {
        if (input.kind == input_kind::view) views_ |= std::uint32_t{1} << input.id;
        kinds_ |= bit_of(input.kind);
        wake_at_ = std::min(wake_at_, input.until);
        // Beyond the names that fit, an input still counts; only its mention in an explanation is dropped.
        if (count_ < named_.size()) named_[count_++] = input;
        return *this;
    }

    std::span<const awaited> named() const noexcept { return {named_.data(), count_}; }
    std::uint32_t views() const noexcept { return views_; }
    bool awaits(input_kind kind) const noexcept { return (kinds_ & bit_of(kind)) != 0; }
    bool awaits_space() const noexcept { return awaits(input_kind::space); }
    base::instant wake_at() const noexcept { return wake_at_; }
    friend bool operator==(const await_set&, const await_set&) = default;

private:
    static constexpr std::uint32_t bit_of(input_kind kind) noexcept {
        return std::uint32_t{1} << static_cast<std::uint32_t>(kind);
    }

    std::array<awaited, 8> named_{};
    std::size_t count_ = 0;
    std::uint32_t views_ = 0;
    std::uint32_t kinds_ = 0;
    base::instant wake_at_ = base::never;
};

}  // namespace strandline::core::kernel
