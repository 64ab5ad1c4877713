#include <fmt/format.h>

#include <strandline/position_reset.hpp>

namespace strandline::inline v0 {

std::string to_string(const position_reset& reset) {
    const auto name = to_string(reset.partition);
    const auto log_start = reset.log_start ? fmt::format(", the log begins at {}", *reset.log_start) : std::string();
    switch (reset.why) {
        case position_reset::cause::no_committed_offset:
            return fmt::format("{}: the group has no committed offset{}; begins at {}", name, log_start, reset.to);
        case position_reset::cause::out_of_range:
            return fmt::format("{}: offset {} is out of range{}; goes on at {}", name, reset.from.value_or(-1),
                               log_start, reset.to);
        case position_reset::cause::log_truncation:
            return fmt::format("{}: the log was cut below offset {}{}; goes on at {}", name, reset.from.value_or(-1),
                               log_start, reset.to);
    }
    return name;
}

}  // namespace strandline::inline v0
