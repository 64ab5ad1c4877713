// The whole deterministic core of a regular consumer: values in, values out. It builds the managers, routes inputs to
// them, asks them for plans and gathers what they put out. It decides nothing about the protocol. Turned by the reactor
// or the simulator; one at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/bytes.hpp"
#include "base/instant.hpp"
#include "base/random_source.hpp"
#include "core/boundary/awaited_space.hpp"
#include "core/boundary/command.hpp"
#include "core/boundary/completion.hpp"
#include "core/boundary/core_config.hpp"
#include "core/boundary/delivery.hpp"
#include "core/boundary/notice.hpp"
#include "core/boundary/snapshot.hpp"
#include "core/connection/network.hpp"

namespace strandline::core {

// Everything that arrived since the last turn.
struct turn_inputs {
    std::vector<connection::network_event> network;
    std::vector<boundary::submitted_command> commands;
    std::optional<boundary::checkpoint> progress;
    std::vector<boundary::fence_acknowledged> fences;
    std::vector<boundary::buffer_drained> drained;
    std::size_t bytes_in_use = 0;  // of memory_limit: buffered, pinned by the application, decompressed
};

// Published before any effect of the same turn.
struct decision {
    boundary::snapshot_ref snapshot;
    base::instant park_until = base::never;
    boundary::awaited_space space = boundary::awaited_space::none;
    bool turn_again = false;  // something failed while it was put out; its answer waits
};

using delivery_effect = std::variant<boundary::slot_updates, boundary::completed_fetch, boundary::buffer_recall>;

// Carried out after the decision is published, in this order; the application is woken before the orders.
struct turn_effects {
    std::vector<delivery_effect> deliveries;
    std::vector<boundary::notice> notices;
    std::vector<boundary::completion> completions;
    std::vector<connection::network_order> orders;
};

class turn_probe;

class consumer_core {
public:
    // `frames` hears of the memory that Fetch answers take. Both arguments outlive the core.
    consumer_core(const boundary::core_config& config, base::random_source& random,
                  std::shared_ptr<base::memory_account> frames);
    ~consumer_core();
    consumer_core(const consumer_core&) = delete;
    consumer_core& operator=(const consumer_core&) = delete;

    // Between turns: where a connection reads next, what is missing of a long frame that has begun there, and how much
    // came. True: a turn is wanted.
    std::span<std::byte> receive_room(connection::connection_id id);
    std::size_t bytes_missing(connection::connection_id id);
    bool received(connection::connection_id id, std::size_t bytes);

    decision turn(turn_inputs inputs, base::instant now, base::wall_time wall);
    // Of the last turn; empty afterwards.
    turn_effects take_effects();

    // Closed: nothing more will be put out. An operation that has no result yet gets none from here.
    bool stopped() const noexcept;
    // Faults of the kernel's contract, zero unless a manager is wrong.
    std::uint64_t faults() const noexcept;
    std::string newest_fault() const;
    // For tests: `probe` is shown every turn from the next on, and outlives the core; null: nobody. Managers that
    // nothing happened to are asked then as well (in debug builds always), and have to answer what is published.
    void look_on(turn_probe* probe) noexcept;

private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

}  // namespace strandline::core
