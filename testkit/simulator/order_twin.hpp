// Does it matter in which order managers are asked? A second core that is given what the first one is given and asks in
// another order: it has to decide the same.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/consumer_core.hpp"
#include "core/exchange/manager.hpp"
#include "core/turn_probe.hpp"
#include "reactor/ports.hpp"
#include "testkit/simulator/seeded_choice.hpp"

namespace strandline::testkit::sim {

// What one turn came to, apart from the order in which managers were asked.
class turn_gist final : public core::turn_probe {
public:
    // Of so many draws in all.
    explicit turn_gist(const std::uint64_t* draws = nullptr) noexcept : draws_(draws) {}

    bool wants_audit(std::uint64_t) override { return false; }
    void on_begun(std::uint64_t turn, const core::turn_inputs& inputs, base::instant now) override;
    void on_response(const core::exchange::response&) override {}
    void on_fact(std::uint64_t, const core::exchange::fact&, bool, bool) override {}
    void on_answer(core::kernel::manager_index manager, const core::exchange::plan& answer) override;
    void on_output(core::kernel::manager_index from, const core::exchange::output& output) override;
    void on_broken(core::contract_clause, const std::string&) override {}
    void on_decided(std::uint64_t turn, const core::decision& made) override;

    // How this turn differs from that one, which was given the same; empty: not at all. Requests and callbacks count as
    // the same if they say the same: their numbers tell who was asked first.
    std::string difference(const turn_gist& other) const;
    // And the numbers are the same as well, those of the connections that were asked for among them: they are opened in
    // that order, and where only one may be tried at a time the others wait for it.
    bool is_numbered_as(const turn_gist& other) const;
    // While nobody can be reached one attempt at a time may begin, and it is for who is asked first, in the declared
    // order: who asks for a connection in another order may have to ask for other ones, and waits for them.
    bool contends_for_an_attempt(const turn_gist& other) const;
    // Several drew random numbers: who draws which tells who was asked first.
    bool several_drew() const noexcept { return (drew_ & (drew_ - 1)) != 0; }

private:
    struct manager_gist {
        std::vector<std::string> outputs;
        std::vector<std::uint64_t> numbers;
    };
    void note_number(core::kernel::manager_index from, std::uint64_t number);
    bool waits_alike(const core::kernel::waiting& mine, const core::kernel::waiting& others) const;

    const std::uint64_t* draws_;
    std::uint64_t draws_before_ = 0;
    std::uint32_t drew_ = 0;  // a bit for each manager
    std::uint64_t newest_number_ = 0;  // given before this turn, as far as seen
    std::uint64_t newest_of_turn_ = 0;
    std::array<manager_gist, core::exchange::manager::count> managers_;
    std::vector<std::string> connections_;  // asked for: each once, by whoever is asked first
    core::decision made_;
    std::shared_ptr<const core::boundary::page_list> pages_before_;  // as the turn before showed them
};

// Lives beside one core and is its probe, before another one. From some turn on it asks in random orders. It ends with
// the first turn in which order showed in numbers only: what comes from outside would no longer fit the second core.
class order_twin final : public core::turn_probe {
public:
    // `complain` hears of each difference. All of it outlives the twin.
    order_twin(core::turn_probe& next, const reactor::clock& time, seeded_choice choice,
               std::function<void(std::string)> complain);

    // The first core is made with this, and with the numbers of this seed.
    void begin(const core::boundary::core_config& config, std::uint64_t random_seed);
    // The first core has received these bytes.
    void receive(core::connection::connection_id id, std::span<const std::byte> bytes);
    // The first core's turn is over, and this is what it orders of the network.
    void on_orders(const std::vector<core::connection::network_order>& orders);
    void end() { second_.reset(); }
    bool is_alive() const noexcept { return second_.has_value(); }

    // ---- what the first core shows
    bool wants_audit(std::uint64_t turn) override { return next_.wants_audit(turn); }
    void on_begun(std::uint64_t turn, const core::turn_inputs& inputs, base::instant now) override;
    void on_response(const core::exchange::response& response) override { next_.on_response(response); }
    void on_fact(std::uint64_t sequence, const core::exchange::fact& fact, bool holds, bool changed) override {
        next_.on_fact(sequence, fact, holds, changed);
    }
    void on_answer(core::kernel::manager_index manager, const core::exchange::plan& answer) override {
        next_.on_answer(manager, answer);
    }
    void on_output(core::kernel::manager_index from, const core::exchange::output& output) override;
    void on_broken(core::contract_clause clause, const std::string& what) override { next_.on_broken(clause, what); }
    void on_walked(const core::walked_tables& so_far) override { next_.on_walked(so_far); }
    void on_decided(std::uint64_t turn, const core::decision& made) override;

private:
    class counted_random final : public base::random_source {
    public:
        explicit counted_random(std::uint64_t seed) noexcept : numbers_(seed) {}
        std::uint64_t next() override {
            ++draws_;
            return numbers_.next();
        }
        const std::uint64_t& draws() const noexcept { return draws_; }

    private:
        base::seeded_random numbers_;
        std::uint64_t draws_ = 0;
    };
    struct twin {
        twin(const core::boundary::core_config& config, std::uint64_t random_seed);
        counted_random random;
        turn_gist gist{&random.draws()};
        core::consumer_core core;
    };
    void draw_order();
    std::uint64_t draw_first_turn();

    core::turn_probe& next_;
    const reactor::clock& time_;
    seeded_choice choice_;
    std::function<void(std::string)> complain_;
    std::uint64_t first_turn_;  // in which another order is tried
    std::vector<core::kernel::manager_index> order_;
    turn_gist gist_;  // the first core's
    core::turn_inputs inputs_;
    base::instant now_{};
    std::optional<twin> second_;
    std::optional<std::vector<core::connection::network_order>> orders_;  // the second core's, in this turn
};

}  // namespace strandline::testkit::sim
