// One operation of the application, from its submission to its one terminal result.
#pragma once

#include <optional>
#include <utility>

#include <strandline/error.hpp>

#include "base/instant.hpp"
#include "core/boundary/completion.hpp"
#include "core/boundary/identity.hpp"

namespace strandline::handoff {

// The same for every call of every kind of consumer. A blocking call keeps it in its frame and parks; an asynchronous
// one keeps it with its handler. Guarded by the lock of handoff until it has ended; afterwards its owner's alone.
class operation {
public:
    explicit operation(base::instant deadline) noexcept : deadline_(deadline) {}
    virtual ~operation() = default;
    operation(const operation&) = delete;
    operation& operator=(const operation&) = delete;

    core::boundary::operation_token token() const noexcept { return token_; }
    base::instant deadline() const noexcept { return deadline_; }
    // Once, after the end.
    result<core::boundary::operation_value> take_outcome() { return std::move(*outcome_); }

private:
    template <class Primitives>
    friend class basic_handoff;

    core::boundary::operation_token token_{core::boundary::no_operation};
    base::instant deadline_;
    std::optional<result<core::boundary::operation_value>> outcome_;
};

}  // namespace strandline::handoff
