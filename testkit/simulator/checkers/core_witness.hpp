// Looks on while one consumer's core turns, and tells what it saw as observations.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/consumer_core.hpp"
#include "core/turn_probe.hpp"
#include "testkit/simulator/checkers/few.hpp"
#include "testkit/simulator/checkers/observation.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim {

class core_witness final : public core::turn_probe {
public:
    // Views are compared after every manager in the first turns and then in one of so many: it costs time.
    static constexpr std::uint64_t first_turns = 40;
    static constexpr std::uint64_t one_of = 16;

    // Both outlive it. The directory turns names into logs.
    core_witness(consumer_id who, observer& sink, const truth& directory) noexcept
        : who_(who), sink_(sink), directory_(directory) {}

    bool wants_audit(std::uint64_t turn) override { return turn <= first_turns || turn % one_of == 0; }
    void on_begun(std::uint64_t turn, const core::turn_inputs& inputs, base::instant now) override;
    void on_response(const core::exchange::response& response) override;
    void on_fact(std::uint64_t sequence, const core::exchange::fact& fact, bool holds, bool changed) override;
    void on_answer(core::kernel::manager_index manager, const core::exchange::plan& answer) override;
    void on_output(core::kernel::manager_index from, const core::exchange::output& output) override;
    void on_broken(core::contract_clause clause, const std::string& what) override;
    void on_walked(const core::walked_tables& so_far) override;
    void on_decided(std::uint64_t turn, const core::decision& made) override;

private:
    struct asked {
        protocol::api_key api{};
    };

    template <class What>
    void tell(What&& what) {
        sink_.on({now_, who_, std::forward<What>(what)});
    }
    log_id log_of(const core::boundary::partition_ref& partition) const;
    std::vector<log_id> logs_of(const partitions& which) const;
    observed::coordinator_reach reach_of(const core::boundary::snapshot& shown) const;
    void tell_request(const core::exchange::outbound_request& request);
    std::shared_ptr<const std::vector<observed::turn_decided::place>> assignment_of(
        const core::boundary::snapshot& shown);

    consumer_id who_;
    observer& sink_;
    const truth& directory_;
    base::instant now_{};
    base::instant park_until_ = base::never;
    bool turn_again_ = false;
    std::uint64_t turn_ = 0;
    std::uint32_t answers_ = 0;
    std::uint32_t progresses_ = 0;
    few<core::exchange::request_id, asked> in_flight_;
    // What a turn puts out is told after its decision, as it is carried out.
    std::vector<happening> effects_;
    std::shared_ptr<const core::boundary::page_list> shown_;
    std::array<core::kernel::walked_steps, table_count> walked_{};
};

}  // namespace strandline::testkit::sim
