#include "apps/command_line/escapes.hpp"

#include <algorithm>

namespace strandline::apps::command_line {

namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

text_result<char> take_escape(std::string_view& text) {
    const char letter = text.size() > 1 ? text[1] : '\0';
    const auto all = text;
    text.remove_prefix(std::min<std::size_t>(text.size(), 2));
    switch (all.size() > 1 ? letter : ' ') {
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        case '\\': return '\\';
        case '0': return '\0';
        case 'x':
            if (text.size() >= 2 && hex_digit(text[0]) >= 0 && hex_digit(text[1]) >= 0) {
                const int code = hex_digit(text[0]) * 16 + hex_digit(text[1]);
                text.remove_prefix(2);
                return static_cast<char>(code);
            }
            break;
        default: break;
    }
    return tl::unexpected("has the unknown escape " + std::string(all.substr(0, 2)) +
                          "; accepted: \\n \\r \\t \\\\ \\0 \\xNN");
}

text_result<std::string> unescaped(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        if (text.front() != '\\') {
            plain += text.front();
            text.remove_prefix(1);
            continue;
        }
        const auto character = take_escape(text);
        if (!character) return tl::unexpected(character.error());
        plain += *character;
    }
    return plain;
}

}  // namespace strandline::apps::command_line
