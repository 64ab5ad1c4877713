#include "apps/consume/contact.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace strandline::apps::consume {

namespace {

constexpr auto look_interval = std::chrono::milliseconds(100);
constexpr auto later_look_interval = std::chrono::seconds(1);
constexpr auto first_pause = std::chrono::milliseconds(1000);
constexpr auto longest_pause = std::chrono::milliseconds(60'000);

// Of "host:port,host:port", without what is missing.
std::vector<std::string_view> addresses_in(std::string_view list) {
    std::vector<std::string_view> found;
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        auto one = list.substr(0, comma);
        list.remove_prefix(std::min(comma + 1, list.size()));
        while (one.starts_with(' ')) one.remove_prefix(1);
        while (one.ends_with(' ')) one.remove_suffix(1);
        if (!one.empty()) found.push_back(one);
    }
    return found;
}

}  // namespace

contact::contact(const consumer& of, std::string bootstrap_servers, std::chrono::milliseconds within,
                 output::notes& told)
    : consumer_(of),
      bootstrap_servers_(std::move(bootstrap_servers)),
      within_(within),
      notes_(told),
      since_(clock::now()),
      next_look_(since_) {}

std::optional<std::string> contact::look() {
    const auto now = clock::now();
    if (now < next_look_) return std::nullopt;
    const auto why = consumer_.explain();
    made_ = made_ || why.contacted;
    next_look_ = now + (made_ ? std::chrono::milliseconds(later_look_interval) : look_interval);
    if (!made_) {
        if (now - since_ < within_) return std::nullopt;
        return why_not(why);
    }
    tell(why, now);
    return std::nullopt;
}

std::string contact::why_not(const explanation& why) const {
    auto text = fmt::format("no broker answered within {:g} s (--connect-timeout):",
                            std::chrono::duration<double>(within_).count());
    for (const auto& each : why.network_trouble) text += "\n  " + each.message();
    for (const auto address : addresses_in(bootstrap_servers_)) {
        const bool told = std::ranges::any_of(
            why.network_trouble, [&](const error& each) { return each.message().find(address) != std::string::npos; });
        if (!told) text += fmt::format("\n  {}: no answer yet", address);
    }
    return text + "\nCheck the addresses given with -b, and that the brokers run.";
}

void contact::tell(const explanation& why, clock::time_point now) {
    if (why.network_trouble.empty()) {
        pause_ = std::chrono::milliseconds(0);
        return;
    }
    if (pause_.count() > 0 && now < next_note_) return;
    pause_ = std::clamp(pause_ * 2, first_pause, longest_pause);
    next_note_ = now + pause_;
    for (const auto& each : why.network_trouble) notes_.note(each.message() + "; trying again");
}

}  // namespace strandline::apps::consume
