#include "testkit/simulator/plan_shrinker.hpp"

#include <algorithm>
#include <utility>

namespace strandline::testkit::sim {

namespace {

class shrinking {
public:
    shrinking(fault_plan plan, const fails& still_fails, std::uint64_t tries_at_most)
        : best_{std::move(plan), 0}, still_fails_(still_fails), tries_at_most_(tries_at_most) {}

    shrunk_plan run() {
        for (bool shorter = true; shorter;) {
            shorter = drop_some(&fault_plan::faults, 0);
            shorter = drop_some(&fault_plan::consumers, 1) || shorter;
            shorter = drop_some(&fault_plan::topics, 1) || shorter;
            shorter = simplify() || shorter;
        }
        return std::move(best_);
    }

private:
    bool better(const fault_plan& candidate) {
        if (candidate == best_.plan || best_.tries >= tries_at_most_) return false;
        ++best_.tries;
        if (!still_fails_(candidate)) return false;
        best_.plan = candidate;
        return true;
    }

    // Large stretches first, then smaller ones.
    template <class Element>
    bool drop_some(std::vector<Element> fault_plan::* which, std::size_t least) {
        bool any = false;
        for (auto size = std::max<std::size_t>((best_.plan.*which).size() / 2, 1); size > 0; size /= 2) {
            for (std::size_t at = 0; at < (best_.plan.*which).size();) {
                auto candidate = best_.plan;
                auto& all = candidate.*which;
                const auto end = std::min(at + size, all.size());
                all.erase(all.begin() + static_cast<std::ptrdiff_t>(at),
                          all.begin() + static_cast<std::ptrdiff_t>(end));
                if (all.size() >= least && better(candidate)) {
                    any = true;
                } else {
                    at += size;
                }
            }
        }
        return any;
    }

    bool simplify() {
        bool any = false;
        const auto attempt = [&](auto&& change) {
            auto candidate = best_.plan;
            change(candidate);
            any = better(candidate) || any;
        };
        attempt([](fault_plan& plan) { plan.brokers = std::max(plan.brokers - 1, 1); });
        attempt([](fault_plan& plan) {
            const auto last =
                plan.faults.empty() ? base::duration(0) : plan.faults.back().at + plan.faults.back().lasts;
            plan.runs = last + std::chrono::seconds(1) + plan.calm;
        });
        attempt([](fault_plan& plan) {
            plan.calm /= 2;
            plan.runs -= plan.calm;
        });
        for (std::size_t i = 0; i < best_.plan.topics.size(); ++i) {
            attempt([i](fault_plan& plan) { plan.topics[i].partitions = std::max(plan.topics[i].partitions / 2, 1); });
            attempt([i](fault_plan& plan) { plan.topics[i].compacted = 0; });
            attempt([i](fault_plan& plan) { plan.topics[i].transactional = 0; });
        }
        for (std::size_t i = 0; i < best_.plan.consumers.size(); ++i) {
            attempt([i](fault_plan& plan) {
                const auto in_group = plan.consumers[i].in_group;
                plan.consumers[i] = {};
                plan.consumers[i].in_group = in_group;
            });
        }
        return any;
    }

    shrunk_plan best_;
    const fails& still_fails_;
    std::uint64_t tries_at_most_;
};

}  // namespace

shrunk_plan shrink(fault_plan plan, const fails& still_fails, std::uint64_t tries_at_most) {
    return shrinking(std::move(plan), still_fails, tries_at_most).run();
}

}  // namespace strandline::testkit::sim
