// kcat's format verbs, compiled once into steps that run for each record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/command_line/text_result.hpp"
#include "apps/output/printable_record.hpp"

namespace strandline::apps::output {

class record_format {
public:
    // %t %p %o %k %s %K %S %T %h %%, and the escapes of apps/command_line/escapes.hpp.
    static command_line::text_result<record_format> compile(std::string_view text);
    // The key and `key_delimiter`, if there is one, the value, and `record_delimiter`.
    static record_format delimited(const std::string* key_delimiter, const std::string& record_delimiter);

    void append(std::string& to, const printable_record& record) const;

private:
    enum class verb : std::uint8_t {
        literal,
        topic,
        partition,
        offset,
        key,
        value,
        key_size,
        value_size,
        timestamp,
        headers,
    };
    struct step {
        verb what = verb::literal;
        std::string text = {};  // literal
    };

    void add(verb what) { steps_.push_back({what}); }
    void add_literal(std::string_view text);

    std::vector<step> steps_;
};

}  // namespace strandline::apps::output
