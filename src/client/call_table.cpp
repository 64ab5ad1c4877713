#include "client/call_table.hpp"

namespace strandline::client {

namespace {

constexpr std::array<in_callback, 4> everywhere(in_callback what) { return {what, what, what, what}; }
constexpr auto at_once = everywhere(in_callback::at_once);
constexpr auto after = everywhere(in_callback::after_callback);

constexpr auto rules = std::to_array<call_rule>({
    {"poll", everywhere(in_callback::refused)},
    {"close", everywhere(in_callback::requested)},
    {"subscribe", after},
    {"unsubscribe", after},
    {"assign", after},
    // In on_lost a commit of what was lost fails with commit_failed: somebody else has it.
    {"commit", at_once},
    {"commit_async", at_once},
    {"committed", at_once},
    {"seek", at_once},
    {"seek_to_beginning", at_once},
    {"seek_to_end", at_once},
    {"position", at_once},
    {"pause", at_once},
    {"resume", at_once},
    {"offsets_for_times", at_once},
    {"beginning_offsets", at_once},
    {"end_offsets", at_once},
    {"partitions_for", at_once},
    {"list_topics", at_once},
    {"assignment", at_once, true},
    {"subscription", at_once, true},
    {"paused", at_once, true},
    {"lag", at_once, true},
    {"group_metadata", at_once, true},
    {"explain", at_once, true},
    {"memory_in_use", at_once, true},
    {"wakeup", at_once, true},
    {"request_close", everywhere(in_callback::requested), true},
});

}  // namespace

std::string_view words(in_callback what) noexcept {
    switch (what) {
        case in_callback::at_once: return "at once";
        case in_callback::after_callback: return "after the callback";
        case in_callback::requested: return "only requested";
        case in_callback::refused: return "refused: invalid_state";
    }
    return {};
}

std::span<const call_rule> call_table() noexcept { return rules; }

}  // namespace strandline::client
