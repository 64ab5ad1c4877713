// Notes which situations a run comes into, from what is observed of its consumers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "core/exchange/manager.hpp"
#include "testkit/simulator/checkers/few.hpp"
#include "testkit/simulator/checkers/observation.hpp"
#include "testkit/simulator/situation_names.hpp"
#include "testkit/simulator/situations.hpp"

namespace strandline::testkit::sim {

// Of each published decision: the member's state, how it stands with its coordinator, what of its is in flight there,
// and what its application is in. Steps of transition tables once a consumer.
class situation_watch final : public observer {
public:
    void on(const observation& seen) override;
    void add_to(situations& reached) const;

private:
    static constexpr std::size_t member_states = 10;
    static constexpr std::size_t reasons = 64;
    template <std::size_t Count>
    using counts = std::array<std::uint64_t, Count>;

    struct life {
        counts<group_requests> under_way{};
        few<core::exchange::request_id, group_request> requests;
        counts<call_kinds> calls{};
    };
    void note(consumer_id who, const observed::turn_decided& made);
    std::size_t index_of(std::string_view member) const;

    std::map<consumer_id, life> lives_;
    std::map<std::array<std::uint8_t, 3>, std::uint64_t> steps_;  // table, from, to
    std::array<std::array<counts<group_requests>, coordinator_reaches>, member_states> requests_{};
    std::array<counts<call_kinds>, member_states> calls_by_member_{};
    std::array<counts<call_kinds>, coordinator_reaches> calls_by_reach_{};
    std::array<counts<reasons>, core::exchange::manager::count> waits_{};
};

}  // namespace strandline::testkit::sim
