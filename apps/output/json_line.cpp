#include "apps/output/json_line.hpp"

#include <array>
#include <charconv>
#include <cstdint>

#include "apps/output/utf8.hpp"

namespace strandline::apps::output {

namespace {

void append_number(std::string& to, std::int64_t number) {
    std::array<char, 24> digits;
    const auto [end, failure] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    static_cast<void>(failure);  // every number fits
    to.append(digits.data(), end);
}

constexpr std::array<bool, 256> make_plain() {
    std::array<bool, 256> plain{};
    for (std::size_t i = 0x20; i < plain.size(); ++i) plain[i] = i != '"' && i != '\\' && i != 0x7f;
    return plain;
}
// Bytes that stand in a JSON string as they are.
constexpr auto plain_bytes = make_plain();

void append_escape(std::string& to, char c) {
    constexpr std::string_view hex = "0123456789abcdef";
    switch (c) {
        case '"': to += "\\\""; return;
        case '\\': to += "\\\\"; return;
        case '\n': to += "\\n"; return;
        case '\r': to += "\\r"; return;
        case '\t': to += "\\t"; return;
        case '\b': to += "\\b"; return;
        case '\f': to += "\\f"; return;
        default: break;
    }
    const auto code = static_cast<unsigned char>(c);
    to += "\\u00";
    to += hex[code >> 4U];
    to += hex[code & 0xfU];
}

void append_string(std::string& to, std::string_view text) {
    to += '"';
    std::size_t from = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (plain_bytes[static_cast<unsigned char>(text[i])]) continue;
        to.append(text, from, i - from);
        append_escape(to, text[i]);
        from = i + 1;
    }
    to.append(text, from);
    to += '"';
}

void append_base64(std::string& to, std::string_view bytes) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const auto at = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
    to += "{\"base64\":\"";
    std::size_t i = 0;
    for (; i + 3 <= bytes.size(); i += 3) {
        const std::uint32_t group = at(i) << 16U | at(i + 1) << 8U | at(i + 2);
        to += alphabet[group >> 18U];
        to += alphabet[group >> 12U & 63U];
        to += alphabet[group >> 6U & 63U];
        to += alphabet[group & 63U];
    }
    if (const auto left = bytes.size() - i; left > 0) {
        const std::uint32_t group = at(i) << 16U | (left > 1 ? at(i + 1) << 8U : 0U);
        to += alphabet[group >> 18U];
        to += alphabet[group >> 12U & 63U];
        to += left > 1 ? alphabet[group >> 6U & 63U] : '=';
        to += '=';
    }
    to += "\"}";
}

void append_bytes(std::string& to, const std::optional<std::string_view>& bytes) {
    if (!bytes) {
        to += "null";
    } else if (is_utf8(*bytes)) {
        append_string(to, *bytes);
    } else {
        append_base64(to, *bytes);
    }
}

std::string_view name_of(timestamp_type type) {
    switch (type) {
        case timestamp_type::create_time: return "create";
        case timestamp_type::log_append_time: return "append";
        case timestamp_type::none: break;
    }
    return "none";
}

void append_headers(std::string& to, const header_range& headers) {
    to += '[';
    bool first = true;
    for (const auto& each : headers) {
        if (!first) to += ',';
        first = false;
        to += '[';
        append_bytes(to, each.name);
        to += ',';
        append_bytes(to, each.value_text());
        to += ']';
    }
    to += ']';
}

}  // namespace

void append_json_line(std::string& to, const printable_record& record) {
    to += "{\"topic\":";
    append_string(to, record.topic);
    to += ",\"partition\":";
    append_number(to, record.partition);
    to += ",\"offset\":";
    append_number(to, record.offset);
    to += ",\"timestamp\":";
    append_number(to, record.timestamp_ms);
    to += ",\"timestamp_type\":\"";
    to += name_of(record.timestamp_type);
    to += "\",\"leader_epoch\":";
    if (record.leader_epoch) {
        append_number(to, *record.leader_epoch);
    } else {
        to += "null";
    }
    to += ",\"key\":";
    append_bytes(to, record.key);
    to += ",\"value\":";
    append_bytes(to, record.value);
    to += ",\"headers\":";
    append_headers(to, record.headers);
    to += "}\n";
}

}  // namespace strandline::apps::output
