// What calls of the application are called where explain() has to tell them apart.
#pragma once

#include <string_view>

namespace strandline::core::boundary::call_name {

inline constexpr std::string_view poll = "poll";
inline constexpr std::string_view unsubscribe = "unsubscribe";
inline constexpr std::string_view commit = "commit";
inline constexpr std::string_view committed = "committed";
inline constexpr std::string_view position = "position";
inline constexpr std::string_view offsets_for_times = "offsets_for_times";
inline constexpr std::string_view beginning_offsets = "beginning_offsets";
inline constexpr std::string_view end_offsets = "end_offsets";
inline constexpr std::string_view partitions_for = "partitions_for";
inline constexpr std::string_view list_topics = "list_topics";

}  // namespace strandline::core::boundary::call_name
