// One property of a run. It sees observations and the truth about the cluster, and complains when they do not fit.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "testkit/simulator/checkers/finding.hpp"
#include "testkit/simulator/checkers/observation.hpp"

namespace strandline::testkit::sim {

class truth;

// Bits by the position of a kind in `happening`.
using happenings = std::uint64_t;

template <class Kind, std::size_t Index = 0>
constexpr std::size_t position_of() {
    if constexpr (std::is_same_v<std::variant_alternative_t<Index, happening_kinds>, Kind>) {
        return Index;
    } else {
        return position_of<Kind, Index + 1>();
    }
}
template <class... Kinds>
constexpr happenings happenings_of() {
    return ((happenings{1} << position_of<Kinds>()) | ...);
}

// One per run. Complaints are kept up to a limit; the first one is what matters.
class checker {
public:
    static constexpr std::size_t complaints_kept = 20;

    // `id` as the documents name it, "V7" or "R4"; `name` a sentence that is true of every good run.
    checker(std::string_view id, std::string_view name, happenings interest) noexcept
        : id_(id), name_(name), interest_(interest) {}
    virtual ~checker() = default;
    checker(const checker&) = delete;
    checker& operator=(const checker&) = delete;

    std::string_view id() const noexcept { return id_; }
    std::string_view name() const noexcept { return name_; }
    happenings interest() const noexcept { return interest_; }

    // `known` has already taken in what was seen.
    virtual void on(const observation& seen, const truth& known) = 0;
    // The run is over.
    virtual void at_end(base::instant /*now*/, const truth& /*known*/) {}

    const std::vector<finding>& findings() const noexcept { return findings_; }
    std::uint64_t complaints() const noexcept { return complaints_; }

protected:
    struct about {
        log_id log = no_log;
        std::optional<std::int64_t> offset = {};
    };
    void complain(base::instant at, consumer_id who, about what, std::string words) {
        if (++complaints_ > complaints_kept) return;
        findings_.push_back({std::string(id_), at, who, what.log, what.offset, std::move(words)});
    }

private:
    std::string_view id_;
    std::string_view name_;
    happenings interest_;
    std::vector<finding> findings_;
    std::uint64_t complaints_ = 0;
};

}  // namespace strandline::testkit::sim
