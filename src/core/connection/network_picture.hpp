// Brokers and connections as the published decision shows them: only those that changed are drawn anew.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/boundary/network_snapshot.hpp"
#include "core/connection/broker_table.hpp"

namespace strandline::core::connection {

class network_picture {
public:
    // Draws the brokers in `changed`, and clears it. The same pointer as before if there were none.
    const std::shared_ptr<const boundary::network_snapshot>& look_at(const broker_table& table, bool contacted,
                                                                     std::vector<protocol::broker_id>& changed);

private:
    struct drawn {
        boundary::host_port address;
        std::shared_ptr<const boundary::broker_snapshot> shown;
    };
    void draw(const broker_table& table, protocol::broker_id broker);

    std::map<protocol::broker_id, drawn> brokers_;
    std::shared_ptr<const boundary::network_snapshot> shown_ = std::make_shared<boundary::network_snapshot>();
};

}  // namespace strandline::core::connection
