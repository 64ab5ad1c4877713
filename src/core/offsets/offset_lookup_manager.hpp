// Looks up offsets for the application: beginnings, ends and points of time of any partitions, assigned or not.
#pragma once

#include <memory>

#include "core/boundary/command.hpp"
#include "core/exchange/cluster_view.hpp"
#include "core/exchange/connections_handle.hpp"
#include "core/exchange/manager.hpp"
#include "core/exchange/output.hpp"
#include "core/kernel/view.hpp"

namespace strandline::core::offsets {

// In: command list_offsets.  Out: ListOffsets to each leader; the fact topics_of_interest of what it looks up.
// Ends are the last stable offset under read_committed, the high watermark otherwise.
class offset_lookup_manager {
public:
    offset_lookup_manager(const exchange::manager_context& context,
                          kernel::view<exchange::connections_handle> connections,
                          kernel::view<exchange::cluster_view> cluster);
    ~offset_lookup_manager();
    offset_lookup_manager(const offset_lookup_manager&) = delete;
    offset_lookup_manager& operator=(const offset_lookup_manager&) = delete;

    void on_command(const boundary::command::list_offsets& command, boundary::operation_token token,
                    base::instant deadline, exchange::turn_time time);
    void on_cancel(boundary::operation_token token, exchange::turn_time time);
    void on_response(const exchange::response& response, exchange::turn_time time);

    exchange::plan plan(exchange::turn_time time);

private:
    class machinery;
    std::unique_ptr<machinery> machinery_;
};

}  // namespace strandline::core::offsets
