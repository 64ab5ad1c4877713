// Which addresses a host name has. Literal addresses need no look-up; the rest is asked for once, however many wait for
// it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/boundary/core_config.hpp"
#include "core/connection/network.hpp"

namespace strandline::core::connection {

// The address itself, if `host` is an IPv4 or IPv6 literal (IPv6 also in brackets, also with a zone).
std::optional<std::string> literal_address(std::string_view host);

class address_book {
public:
    struct query {
        query_id id;
        bool is_new = false;  // it has to be given to the resolver
    };

    // Known by now, the one that worked last first.
    std::optional<std::vector<ip_endpoint>> find(const boundary::host_port& name) const;
    query look_up(const boundary::host_port& name);
    // Remembers what was found. False: nobody waits for this answer any more.
    bool on_resolved(const name_resolved& answer);
    // Connections to this address stand.
    void prefer(const boundary::host_port& name, const ip_endpoint& address);
    // None of its addresses worked, so they may be out of date.
    void forget(const boundary::host_port& name) { known_.erase(name); }
    // Starts from nothing; answers to earlier queries are not awaited any more.
    void clear();

private:
    std::map<boundary::host_port, std::vector<ip_endpoint>> known_;
    std::map<boundary::host_port, query_id> asked_;
    std::uint64_t last_query_ = 0;
};

}  // namespace strandline::core::connection
