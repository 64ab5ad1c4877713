#include "apps/output/notes.hpp"

#include <cerrno>
#include <unistd.h>

namespace strandline::apps::output {

namespace {

// To the start of the line, and everything behind it away.
constexpr std::string_view wipe = "\r\x1b[K";

// Nobody can be told that stderr is gone.
void write_all(std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(STDERR_FILENO, text.data(), text.size());
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
        if (written == 0 || (written < 0 && errno != EINTR)) return;
    }
}

}  // namespace

void notes::always(std::string_view text) {
    std::string whole;
    if (!drawn_.empty()) whole = wipe;
    whole += text;
    if (!text.ends_with('\n')) whole += '\n';
    whole += drawn_;
    write_all(whole);
}

void notes::note(std::string_view text) {
    if (level_ != level::quiet) always(text);
}

void notes::detail(std::string_view text) {
    if (level_ == level::verbose) always(text);
}

void notes::draw(std::string_view line) {
    if (line.empty() && drawn_.empty()) return;
    drawn_ = line;
    write_all(std::string(wipe) + drawn_);
}

}  // namespace strandline::apps::output
