// Java's properties format.
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include <strandline/properties.hpp>

namespace strandline::inline v0 {

namespace {

constexpr std::string_view blanks = " \t\f";

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }

// One logical line: a backslash before the end of a line joins the next one, whose indentation does not count.
std::string take_line(std::string_view& text, std::size_t& line) {
    std::string whole;
    for (bool first = true;; first = false) {
        const auto end = text.find_first_of("\r\n");
        auto part = text.substr(0, end);
        const bool crlf = end != std::string_view::npos && text.substr(end, 2) == "\r\n";
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + (crlf ? 2 : 1));
        ++line;
        const auto start = part.find_first_not_of(blanks);
        part = start == std::string_view::npos ? std::string_view() : part.substr(start);
        if (first && (part.starts_with('#') || part.starts_with('!'))) return {};
        std::size_t slashes = 0;
        while (slashes < part.size() && part[part.size() - 1 - slashes] == '\\') ++slashes;
        if (slashes % 2 == 0 || text.empty()) return whole.append(part);
        whole.append(part.substr(0, part.size() - 1));
    }
}

void append_utf8(std::string& to, std::uint32_t code) {
    if (code < 0x80) {
        to += static_cast<char>(code);
    } else if (code < 0x800) {
        to += static_cast<char>(0xc0 | (code >> 6U));
        to += static_cast<char>(0x80 | (code & 0x3fU));
    } else {
        to += static_cast<char>(0xe0 | (code >> 12U));
        to += static_cast<char>(0x80 | ((code >> 6U) & 0x3fU));
        to += static_cast<char>(0x80 | (code & 0x3fU));
    }
}

std::optional<std::uint32_t> read_hex(std::string_view digits) {
    std::uint32_t code = 0;
    if (digits.size() < 4) return std::nullopt;
    for (const char c : digits.substr(0, 4)) {
        const auto value = c >= '0' && c <= '9'                     ? c - '0'
                           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                                    : -1;
        if (value < 0) return std::nullopt;
        code = code * 16 + static_cast<std::uint32_t>(value);
    }
    return code;
}

// Empty: a broken \u escape.
std::optional<std::string> unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            plain += text[i];
            continue;
        }
        switch (const char escaped = text[++i]) {
            case 't': plain += '\t'; break;
            case 'n': plain += '\n'; break;
            case 'r': plain += '\r'; break;
            case 'f': plain += '\f'; break;
            case 'u': {
                const auto code = read_hex(text.substr(i + 1));
                if (!code) return std::nullopt;
                append_utf8(plain, *code);
                i += 4;
                break;
            }
            default: plain += escaped;
        }
    }
    return plain;
}

// Where the name ends: at the first unescaped =, : or blank.
std::size_t end_of_name(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\')
            ++i;
        else if (line[i] == '=' || line[i] == ':' || is_blank(line[i]))
            return i;
    }
    return line.size();
}

}  // namespace

result<properties> parse_properties(std::string_view text) {
    properties found;
    std::size_t line = 0;
    while (!text.empty()) {
        const auto whole = take_line(text, line);
        if (whole.empty()) continue;
        const std::string_view content = whole;
        const auto name_end = end_of_name(content);
        auto value_begin = content.find_first_not_of(blanks, name_end);
        if (value_begin != std::string_view::npos && (content[value_begin] == '=' || content[value_begin] == ':')) {
            value_begin = content.find_first_not_of(blanks, value_begin + 1);
        }
        auto name = unescaped(content.substr(0, name_end));
        auto value =
            unescaped(value_begin == std::string_view::npos ? std::string_view() : content.substr(value_begin));
        if (!name || !value) {
            return tl::unexpected(error(errc::invalid_configuration,
                                        fmt::format("line {}: \\u is not followed by four hexadecimal digits", line)));
        }
        found.insert_or_assign(std::move(*name), std::move(*value));
    }
    return found;
}

result<properties> load_properties(const std::string& file) {
    // Not through a stream: those throw where reading fails.
    const auto cannot_read = [&] {
        const std::error_code code(errno, std::generic_category());
        return tl::unexpected(error(code, fmt::format("cannot read {}: {}", file, code.message())));
    };
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), &std::fclose);
    if (!in) return cannot_read();
    std::string text;
    std::array<char, 4096> part{};
    while (const auto size = std::fread(part.data(), 1, part.size(), in.get())) text.append(part.data(), size);
    if (std::ferror(in.get()) != 0) return cannot_read();
    auto found = parse_properties(text);
    if (!found) {
        return tl::unexpected(error(errc::invalid_configuration, fmt::format("{}: {}", file, found.error().message())));
    }
    return found;
}

}  // namespace strandline::inline v0
