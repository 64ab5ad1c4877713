// What we speak, what a broker speaks, and the version both use.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "protocol/api_key.hpp"

namespace strandline::protocol {

namespace messages {
struct api_versions_response;
}

struct version_range {
    std::int16_t min{};
    std::int16_t max{};

    constexpr bool contains(std::int16_t version) const noexcept { return min <= version && version <= max; }
    friend constexpr auto operator<=>(const version_range&, const version_range&) = default;
};

struct api_version_range {
    api_key key{};
    version_range versions{};

    friend constexpr auto operator<=>(const api_version_range&, const api_version_range&) = default;
};

// Every API this library can encode and decode, in the order of the keys.
std::span<const api_version_range> spoken_apis() noexcept;
// Of one of them.
std::optional<version_range> spoken_versions(api_key key) noexcept;
// From which version on bodies and headers are flexible (KIP-482).
std::optional<std::int16_t> first_flexible_version(api_key key) noexcept;

// What one broker speaks: its answer to ApiVersions.
class broker_api_versions {
public:
    broker_api_versions() = default;
    explicit broker_api_versions(const messages::api_versions_response& response);
    explicit broker_api_versions(std::vector<api_version_range> apis);

    std::optional<version_range> find(api_key key) const noexcept;
    std::span<const api_version_range> apis() const noexcept { return apis_; }

    bool operator==(const broker_api_versions&) const = default;

private:
    std::vector<api_version_range> apis_;  // in order
};

// The newest version that both speak and that does not exceed `cap`; nothing if there is none.
std::optional<std::int16_t> usable_version(api_key key, const broker_api_versions& broker,
                                           std::optional<std::int16_t> cap = std::nullopt) noexcept;

}  // namespace strandline::protocol
