// What people are told, on stderr. Whole lines; a progress line that is being shown makes room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strandline::apps::output {

class notes {
public:
    enum class level : std::uint8_t { quiet, normal, verbose };

    explicit notes(level how) noexcept : level_(how) {}

    // The reason of an end, and whatever was asked for by name.
    void always(std::string_view text);
    void note(std::string_view text);
    // With -v only.
    void detail(std::string_view text);

    // Redraws the line at the bottom; empty: takes it away.
    void draw(std::string_view line);

private:
    level level_;
    std::string drawn_;
};

}  // namespace strandline::apps::output
