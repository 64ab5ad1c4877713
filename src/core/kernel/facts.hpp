// What managers learn about state that somebody else owns. Facts arise while inputs are applied and are drained there,
// in the order in which they were emitted, until none is left.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

namespace strandline::core::kernel {

// Where a manager puts facts; it never sees who handles them.
template <class Fact>
class fact_sink {
public:
    virtual void emit(Fact fact) = 0;

protected:
    ~fact_sink() = default;
};

template <class Fact>
class fact_queue final : public fact_sink<Fact> {
public:
    void emit(Fact fact) override { pending_.push_back(std::move(fact)); }

    // Hands every fact to `handle`, those that handling emits included. The table of who emits what is acyclic, so this
    // ends.
    template <class Handle>
    void drain(Handle&& handle) {
        while (!pending_.empty()) {
            Fact next = std::move(pending_.front());
            pending_.pop_front();
            handle(std::move(next));
        }
    }
    bool empty() const noexcept { return pending_.empty(); }

private:
    std::deque<Fact> pending_;
};

}  // namespace strandline::core::kernel
