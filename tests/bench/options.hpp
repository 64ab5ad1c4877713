// Options of the command line: "--name value" pairs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace strandline::bench {

// Every getter notes the name as known; what is left over when all were asked for is refused.
class options {
public:
    explicit options(const std::vector<std::string>& arguments);

    std::string text(std::string_view name, std::string_view otherwise);
    double number(std::string_view name, double otherwise);
    std::int64_t integer(std::string_view name, std::int64_t otherwise);
    // Names separated by commas.
    std::vector<std::string> list(std::string_view name);

    // Throws when an option was given that nobody asked for.
    void refuse_others() const;

private:
    std::map<std::string, std::string, std::less<>> given_;
    std::set<std::string, std::less<>> known_;
};

}  // namespace strandline::bench
