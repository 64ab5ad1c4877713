#include "protocol/api_versions.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/messages/all.hpp"

namespace strandline::protocol {

namespace {

struct spoken_api {
    api_version_range range;
    std::int16_t first_flexible_version{};
};

template <class... Requests>
constexpr auto table_of(message_list<Requests...>) {
    static_assert(((Requests::min_version == Requests::response::min_version &&
                    Requests::max_version == Requests::response::max_version &&
                    Requests::first_flexible_version == Requests::response::first_flexible_version) &&
                   ...));
    std::array table{spoken_api{{Requests::key, {Requests::min_version, Requests::max_version}},
                                Requests::first_flexible_version}...};
    std::ranges::sort(table, {}, [](const spoken_api& api) { return api.range.key; });
    return table;
}

constexpr auto spoken = table_of(messages::all_requests{});

constexpr auto spoken_ranges = [] {
    std::array<api_version_range, spoken.size()> ranges{};
    std::ranges::transform(spoken, ranges.begin(), &spoken_api::range);
    return ranges;
}();

const spoken_api* find_spoken(api_key key) noexcept {
    const auto found = std::ranges::lower_bound(spoken, key, {}, [](const spoken_api& api) { return api.range.key; });
    return found != spoken.end() && found->range.key == key ? &*found : nullptr;
}

}  // namespace

std::span<const api_version_range> spoken_apis() noexcept { return spoken_ranges; }

std::optional<version_range> spoken_versions(api_key key) noexcept {
    const auto* const api = find_spoken(key);
    return api ? std::optional(api->range.versions) : std::nullopt;
}

std::optional<std::int16_t> first_flexible_version(api_key key) noexcept {
    const auto* const api = find_spoken(key);
    return api ? std::optional(api->first_flexible_version) : std::nullopt;
}

broker_api_versions::broker_api_versions(std::vector<api_version_range> apis) : apis_(std::move(apis)) {
    std::ranges::sort(apis_);
}

broker_api_versions::broker_api_versions(const messages::api_versions_response& response)
    : broker_api_versions([&] {
          std::vector<api_version_range> apis;
          apis.reserve(response.api_keys.size());
          for (const auto& api : response.api_keys) apis.push_back({api.api_key, {api.min_version, api.max_version}});
          return apis;
      }()) {}

std::optional<version_range> broker_api_versions::find(api_key key) const noexcept {
    const auto found = std::ranges::lower_bound(apis_, key, {}, &api_version_range::key);
    return found != apis_.end() && found->key == key ? std::optional(found->versions) : std::nullopt;
}

std::optional<std::int16_t> usable_version(api_key key, const broker_api_versions& broker,
                                           std::optional<std::int16_t> cap) noexcept {
    const auto ours = spoken_versions(key);
    const auto theirs = broker.find(key);
    if (!ours || !theirs) return std::nullopt;
    const auto newest = std::min({ours->max, theirs->max, cap.value_or(ours->max)});
    return newest >= std::max(ours->min, theirs->min) ? std::optional(newest) : std::nullopt;
}

}  // namespace strandline::protocol
