// Every checker on one run: feed it everything that happens, in order.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "testkit/simulator/checkers/checker.hpp"
#include "testkit/simulator/checkers/observation.hpp"
#include "testkit/simulator/checkers/truth.hpp"

namespace strandline::testkit::sim {

class check_run final : public observer {
public:
    // With every checker there is.
    check_run();
    explicit check_run(std::vector<std::unique_ptr<checker>> checkers);

    void on(const observation& seen) override;
    // The run is over; whatever should have happened by now and has not is complained about.
    void at_end(base::instant now);

    const truth& known() const noexcept { return known_; }
    std::vector<finding> findings() const;
    // The first complaint, which is the one to look at; empty: none.
    bool is_clean() const noexcept;
    const std::vector<std::unique_ptr<checker>>& checkers() const noexcept { return checkers_; }

private:
    static bool follows_failures(const checker& one) noexcept;
    void forget_failed(const observation& seen);

    truth known_;
    std::vector<std::unique_ptr<checker>> checkers_;
    std::array<std::vector<checker*>, std::variant_size_v<happening_kinds>> interested_;
    std::set<consumer_id> failed_;  // whose reactor has
};

// "V7 at 12.300 s, consumer 2, orders-3 offset 17: ..."
std::string in_words(const finding& found, const truth& known);

}  // namespace strandline::testkit::sim
