// Makes the snapshot of a turn. What did not change since the last one is shared with it, not copied.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/boundary/notice.hpp"
#include "core/boundary/snapshot.hpp"
#include "protocol/ids.hpp"

namespace strandline::core {

class snapshot_press {
public:
    struct member_now {
        const std::string& id;
        protocol::member_epoch epoch;
        std::string_view state;  // of static storage
        boundary::member_standing standing = boundary::member_standing::other;
        protocol::broker_id coordinator;
        bool rejoins = false;
        bool was_absent = false;
        bool by_hand = false;
    };
    struct turn {
        base::instant made_at;
        std::span<const kernel::waiting> waits;
        const std::optional<error>& fatal;
        std::optional<protocol::broker_error> fatal_answer = {};
        bool checkpoint_wanted = false;
        bool progress_wanted = false;
        bool stopped = false;
    };

    // ---- what changed is taken over; what did not costs a comparison
    void set_pages(const std::shared_ptr<const boundary::page_list>& pages) { pages_ = pages; }
    void set_member(const member_now& now);
    void set_subscription(const std::vector<std::string>& topics, const std::string& pattern,
                          const std::vector<std::string>& unmatched);
    void set_network(const std::shared_ptr<const boundary::network_snapshot>& network) { network_ = network; }
    void set_cluster(const std::shared_ptr<const boundary::cluster_snapshot>& cluster) { cluster_ = cluster; }
    // Remembers the newest error that the application is told of.
    void note(const boundary::notice& told);
    void note_records(base::instant now) noexcept { records_at_ = now; }

    std::uint64_t next_version() const noexcept { return version_ + 1; }
    boundary::snapshot_ref print(const turn& what, const boundary::turn_record& record);

private:
    std::uint64_t version_ = 0;
    std::shared_ptr<const boundary::page_list> pages_ = std::make_shared<boundary::page_list>();
    std::shared_ptr<const boundary::member_snapshot> member_ = std::make_shared<boundary::member_snapshot>();
    std::shared_ptr<const boundary::subscription_snapshot> subscription_ =
        std::make_shared<boundary::subscription_snapshot>();
    std::shared_ptr<const boundary::network_snapshot> network_ = std::make_shared<boundary::network_snapshot>();
    std::shared_ptr<const boundary::cluster_snapshot> cluster_ = std::make_shared<boundary::cluster_snapshot>();
    std::optional<error> last_error_;
    std::optional<base::instant> records_at_;
};

}  // namespace strandline::core
