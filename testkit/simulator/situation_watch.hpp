// Notes which situations a run comes into, from what is observed of its consumers.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "core/exchange/manager.hpp"
#include "testkit/simulator/observation.hpp"
#include "testkit/simulator/situations.hpp"

namespace strandline::testkit::sim {

// Of each published decision: the member's state; how it stands with the coordinator; what is under way with the
// coordinator; and what followed what.
class situation_watch final : public observer {
public:
    void on(const observation& seen) override;
    // "member stable -> fenced", "member stable, coordinator is searched, with heartbeat+commit under way", "commit
    // manager waits: backoff".
    void add_to(situations& reached) const;

private:
    enum class readiness : std::uint8_t { ready, searched, unknown, connecting, backing_off };
    // The member's requests and its coordinator's, while they are in flight.
    enum class operation : std::uint8_t { heartbeat, commit, committed, find_coordinator };
    struct life {
        std::string state;
        std::map<core::exchange::request_id, operation> under_way;
    };
    struct combination {
        std::string state;
        readiness coordinator = readiness::ready;
        std::uint8_t under_way = 0;
        friend auto operator<=>(const combination&, const combination&) = default;
    };
    void note(consumer_id who, const observed::turn_decided& made);

    std::map<consumer_id, life> lives_;
    std::map<std::pair<std::string, std::string>, std::uint64_t> changes_;
    std::map<combination, std::uint64_t> combinations_;
    std::map<std::pair<core::kernel::manager_index, std::uint16_t>, std::uint64_t> waits_;
};

}  // namespace strandline::testkit::sim
