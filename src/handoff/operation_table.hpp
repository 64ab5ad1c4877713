// Which operation a token means.
#pragma once

#include <memory>
#include <unordered_map>
#include <utility>

#include "core/boundary/identity.hpp"
#include "handoff/operation.hpp"

namespace strandline::handoff {

// Tokens count up and are never used again, so that a late completion finds nothing. Plain data, guarded by the
// outbox's lock.
class operation_table {
public:
    struct entry {
        operation* call = nullptr;
        std::unique_ptr<operation> owned;  // of a detached call
    };

    core::boundary::operation_token add(operation& call) { return add({&call, nullptr}); }
    core::boundary::operation_token add(std::unique_ptr<operation> call) {
        auto* const raw = call.get();
        return add({raw, std::move(call)});
    }
    // Nothing for a token that is not, or no longer, in the table.
    entry take(core::boundary::operation_token token) {
        auto found = entries_.extract(token);
        return found.empty() ? entry{} : std::move(found.mapped());
    }
    template <class Visit>
    void take_all(Visit&& visit) {
        for (auto& [token, found] : std::exchange(entries_, {})) visit(std::move(found));
    }

private:
    core::boundary::operation_token add(entry made) {
        const core::boundary::operation_token token{++last_};
        entries_.emplace(token, std::move(made));
        return token;
    }

    std::unordered_map<core::boundary::operation_token, entry> entries_;
    std::uint64_t last_ = 0;
};

}  // namespace strandline::handoff
