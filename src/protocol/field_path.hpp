// The way to the field that a coder failed in, put together while it unwinds: "Responses[2].Topic".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace strandline::protocol {

class field_path {
public:
    void prepend_field(std::string_view name);
    void prepend_index(std::size_t index);

    std::string take() && { return std::move(path_); }

private:
    void prepend(std::string step);

    std::string path_;
};

}  // namespace strandline::protocol
