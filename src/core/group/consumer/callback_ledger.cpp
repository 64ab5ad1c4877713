#include "core/group/consumer/callback_ledger.hpp"

#include <algorithm>
#include <utility>

namespace strandline::core::group::consumer {

boundary::callback_wanted callback_ledger::ask(boundary::callback_id id, kind what, partitions which) {
    open_.emplace(id, answered{what, which});
    return {.id = id, .what = what, .which = std::move(which)};
}

std::optional<boundary::callback_wanted> callback_ledger::ask_lost(boundary::callback_id id, partitions which) {
    std::optional<boundary::callback_id> revoked;
    for (const auto& [open_id, callback] : open_) {
        if (callback.what == kind::revoked) revoked = open_id;
    }
    if (which.empty() && !revoked) return std::nullopt;
    if (revoked) open_.erase(*revoked);
    auto notice = ask(id, kind::lost, std::move(which));
    notice.supersedes = revoked;
    return notice;
}

std::optional<callback_ledger::answered> callback_ledger::answer(boundary::callback_id id) {
    auto found = open_.extract(id);
    if (found.empty()) return std::nullopt;
    return std::move(found.mapped());
}

void callback_ledger::give_up(const partitions& which) {
    for (auto& [id, callback] : open_) {
        if (callback.what != kind::assigned) continue;
        std::erase_if(callback.which, [&](const topic_partition& partition) {
            return std::binary_search(which.begin(), which.end(), partition);
        });
    }
}

bool callback_ledger::open(kind what) const noexcept {
    return std::any_of(open_.begin(), open_.end(), [&](const auto& entry) { return entry.second.what == what; });
}

std::optional<boundary::callback_id> callback_ledger::open_giving_up() const noexcept {
    for (const auto& [id, callback] : open_) {
        if (callback.what != kind::assigned) return id;
    }
    return std::nullopt;
}

}  // namespace strandline::core::group::consumer
