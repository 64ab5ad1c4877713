#include "apps/output/record_format.hpp"

#include <array>
#include <charconv>

#include "apps/command_line/escapes.hpp"

namespace strandline::apps::output {

namespace {

void append_number(std::string& to, std::int64_t number) {
    std::array<char, 24> digits;
    const auto [end, failure] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    static_cast<void>(failure);  // every number fits
    to.append(digits.data(), end);
}

void append_size(std::string& to, const std::optional<std::string_view>& bytes) {
    append_number(to, bytes ? static_cast<std::int64_t>(bytes->size()) : -1);
}

void append_headers(std::string& to, const header_range& headers) {
    bool first = true;
    for (const auto& each : headers) {
        if (!first) to += ',';
        first = false;
        to += each.name;
        if (const auto value = each.value_text()) {
            to += '=';
            to += *value;
        }
    }
}

}  // namespace

command_line::text_result<record_format> record_format::compile(std::string_view text) {
    record_format made;
    while (!text.empty()) {
        if (text.front() == '\\') {
            const auto character = command_line::take_escape(text);
            if (!character) return tl::unexpected(character.error());
            made.add_literal({&*character, 1});
            continue;
        }
        if (text.front() != '%') {
            const auto end = text.find_first_of("\\%");
            made.add_literal(text.substr(0, end));
            text = end == std::string_view::npos ? std::string_view() : text.substr(end);
            continue;
        }
        const auto all = text.substr(0, 2);
        text.remove_prefix(all.size());
        switch (all.size() > 1 ? all[1] : '\0') {
            case 't': made.add(verb::topic); break;
            case 'p': made.add(verb::partition); break;
            case 'o': made.add(verb::offset); break;
            case 'k': made.add(verb::key); break;
            case 's': made.add(verb::value); break;
            case 'K': made.add(verb::key_size); break;
            case 'S': made.add(verb::value_size); break;
            case 'T': made.add(verb::timestamp); break;
            case 'h': made.add(verb::headers); break;
            case '%': made.add_literal("%"); break;
            default:
                return tl::unexpected("has the unknown verb " + std::string(all) +
                                      "; accepted: %t %p %o %k %s %K %S %T %h %%");
        }
    }
    return made;
}

record_format record_format::delimited(const std::string* key_delimiter, const std::string& record_delimiter) {
    record_format made;
    if (key_delimiter) {
        made.add(verb::key);
        made.add_literal(*key_delimiter);
    }
    made.add(verb::value);
    made.add_literal(record_delimiter);
    return made;
}

void record_format::add_literal(std::string_view text) {
    if (text.empty()) return;
    if (steps_.empty() || steps_.back().what != verb::literal) steps_.push_back({verb::literal});
    steps_.back().text += text;
}

void record_format::append(std::string& to, const printable_record& record) const {
    for (const auto& each : steps_) {
        switch (each.what) {
            case verb::literal: to += each.text; break;
            case verb::topic: to += record.topic; break;
            case verb::partition: append_number(to, record.partition); break;
            case verb::offset: append_number(to, record.offset); break;
            case verb::key:
                if (record.key) to += *record.key;
                break;
            case verb::value:
                if (record.value) to += *record.value;
                break;
            case verb::key_size: append_size(to, record.key); break;
            case verb::value_size: append_size(to, record.value); break;
            case verb::timestamp: append_number(to, record.timestamp_ms); break;
            case verb::headers: append_headers(to, record.headers); break;
        }
    }
}

}  // namespace strandline::apps::output
