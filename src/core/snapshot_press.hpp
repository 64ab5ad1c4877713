// Makes the snapshot of a turn. What did not change since the last one is shared with it, not copied.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/boundary/notice.hpp"
#include "core/boundary/snapshot.hpp"
#include "core/connection/address_failure.hpp"
#include "protocol/ids.hpp"

namespace strandline::core {

class snapshot_press {
public:
    struct turn {
        base::instant made_at;
        std::span<const kernel::waiting> waits;
        const std::optional<error>& fatal;
        bool checkpoint_wanted = false;
        bool stopped = false;
    };

    void set_pages(std::vector<std::shared_ptr<const boundary::partition_page>> pages) { pages_ = std::move(pages); }
    void set_member(const std::string& id, protocol::member_epoch epoch, std::string_view state);
    void set_subscription(std::vector<std::string> topics, const std::string& pattern,
                          std::vector<std::string> unmatched);
    void set_network(bool contacted, const std::vector<connection::address_failure>& failures);
    // Remembers the newest error that the application is told of.
    void note(const boundary::notice& told);

    boundary::snapshot_ref print(const turn& what);

private:
    std::uint64_t version_ = 0;
    std::vector<std::shared_ptr<const boundary::partition_page>> pages_;
    std::shared_ptr<const boundary::member_snapshot> member_ = std::make_shared<boundary::member_snapshot>();
    std::shared_ptr<const boundary::subscription_snapshot> subscription_ =
        std::make_shared<boundary::subscription_snapshot>();
    std::shared_ptr<const boundary::network_snapshot> network_ = std::make_shared<boundary::network_snapshot>();
    std::optional<error> last_error_;
};

}  // namespace strandline::core
