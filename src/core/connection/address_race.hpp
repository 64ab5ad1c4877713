// Tries the addresses of one name: the next one when one fails, or beside it when it has not answered for a while (RFC
// 8305).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/instant.hpp"
#include "core/connection/frame_inbox.hpp"
#include "core/connection/network.hpp"

namespace strandline::core::connection {

class address_race {
public:
    // What a name may have; a resolver's further answers are not tried.
    static constexpr std::size_t most_addresses = 16;

    struct runner {
        connection_id id;
        ip_endpoint to;
        // The transport may read before it is known that the connection stands.
        std::unique_ptr<frame_inbox> inbox;
    };

    address_race() = default;
    explicit address_race(std::vector<ip_endpoint> addresses);

    // An address to try now; the caller starts it, or asks again later.
    bool wants_another(base::instant now) const noexcept;
    const ip_endpoint& start(connection_id id, std::unique_ptr<frame_inbox> inbox, base::instant now);
    // When wants_another becomes true by itself.
    base::instant next_start() const noexcept;

    runner* find(connection_id id) noexcept;
    // The one that connected, taken out; the others have lost and stay in runners().
    std::optional<runner> take(connection_id id);
    void on_failed(connection_id id, const std::string& reason);
    std::span<const runner> runners() const noexcept { return runners_; }
    // Every address failed.
    bool is_lost() const noexcept { return runners_.empty() && next_ == addresses_.size(); }

    // How many were refused, and all of them in words: "Connection refused (127.0.0.1)".
    int failures() const noexcept { return failures_; }
    std::string what() const;

private:
    std::vector<ip_endpoint> addresses_;
    std::size_t next_ = 0;
    std::vector<runner> runners_;
    base::instant next_start_ = base::never;
    int failures_ = 0;
    std::string what_;
};

}  // namespace strandline::core::connection
