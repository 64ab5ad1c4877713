#include "testkit/simulator/checkers/check_run.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "testkit/simulator/checkers/all_checkers.hpp"

namespace strandline::testkit::sim {

check_run::check_run() : check_run(make_all_checkers()) {}

check_run::check_run(std::vector<std::unique_ptr<checker>> checkers) : checkers_(std::move(checkers)) {
    for (const auto& one : checkers_) {
        for (std::size_t kind = 0; kind < interested_.size(); ++kind) {
            if (one->interest() >> kind & 1U) interested_[kind].push_back(one.get());
        }
    }
}

void check_run::on(const observation& seen) {
    known_.take(seen);
    if (std::holds_alternative<observed::reactor_failed>(seen.what)) forget_failed(seen);
    if (!failed_.empty() && failed_.contains(seen.consumer)) {
        for (auto* one : interested_[seen.what.index()]) {
            if (follows_failures(*one)) one->on(seen, known_);
        }
        return;
    }
    for (auto* one : interested_[seen.what.index()]) one->on(seen, known_);
}

bool check_run::follows_failures(const checker& one) noexcept {
    return (one.interest() & happenings_of<observed::reactor_failed>()) != 0;
}

// Nothing that a reactor owes comes of one that has failed: as if its process had crashed, except for those who look
// at just that.
void check_run::forget_failed(const observation& seen) {
    failed_.insert(seen.consumer);
    const observation gone{seen.at, seen.consumer, observed::crashed{}};
    for (auto* one : interested_[position_of<observed::crashed>()]) {
        if (!follows_failures(*one)) one->on(gone, known_);
    }
}

void check_run::at_end(base::instant now) {
    for (const auto& one : checkers_) one->at_end(now, known_);
}

std::vector<finding> check_run::findings() const {
    std::vector<finding> all;
    for (const auto& one : checkers_) all.insert(all.end(), one->findings().begin(), one->findings().end());
    std::stable_sort(all.begin(), all.end(), [](const finding& a, const finding& b) { return a.at < b.at; });
    return all;
}

bool check_run::is_clean() const noexcept {
    return std::all_of(checkers_.begin(), checkers_.end(), [](const auto& one) { return one->complaints() == 0; });
}

std::string in_words(const finding& found, const truth& known) {
    const auto seconds = std::chrono::duration<double>(found.at.time_since_epoch()).count();
    auto words = fmt::format("{} at {:.6f} s", found.checker, seconds);
    if (found.consumer != nobody) words += fmt::format(", consumer {}", found.consumer.value());
    if (found.log != no_log) words += ", " + known.name_of(found.log);
    if (found.offset) words += fmt::format(" offset {}", *found.offset);
    return words + ": " + found.what;
}

}  // namespace strandline::testkit::sim
