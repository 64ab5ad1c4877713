#include "client/operations/commit_async.hpp"

#include <memory>
#include <variant>

#include "client/detached_call.hpp"
#include "client/operations/named_offsets.hpp"

namespace strandline::client {

namespace {

class async_commit final : public detached_call {
public:
    async_commit(base::instant deadline, offsets named, any_commit_callback done)
        : detached_call(deadline), named_(std::move(named)), done_(std::move(done)) {}

    std::optional<wanted_callback> on_ended(consumer_state&) override {
        auto outcome = take_outcome();
        if (std::holds_alternative<std::monostate>(done_)) return std::nullopt;
        commit_result told;
        told.committed = std::move(named_);
        if (!outcome) {
            told.failure = std::move(outcome.error());
        } else if (auto* committed = std::get_if<offsets>(&*outcome)) {
            told.committed = std::move(*committed);
        }
        return wanted_callback{
            wanted_callback::kind::committed, {}, {}, std::move(done_), std::move(told), access::root_frame};
    }

private:
    offsets named_;
    any_commit_callback done_;
};

}  // namespace

step commit_async_call::proceed() {
    using command = core::boundary::command::commit;
    if (!state().config.group_id) return fail(error(errc::invalid_state, "commit_async: needs group_id"));
    if (named_) {
        if (auto refused = refusal_of("commit_async", *named_)) return fail(std::move(*refused));
    }
    command what{named_ ? command::source::named : command::source::processed, named_.value_or(offsets()), false};
    if (!named_) state().meeting.fold(state().ledger.collect(processing_ledger::counting::as_read));
    state().meeting.submit_detached(
        std::make_unique<async_commit>(deadline(), named_.value_or(offsets()), std::move(done_)), std::move(what));
    return end({});
}

}  // namespace strandline::client
