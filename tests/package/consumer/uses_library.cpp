// Links what a program of a user links first, and says that it works.
#include <iostream>

#include <strandline/error.hpp>
#include <strandline/topic_partition.hpp>

int main() {
    const strandline::topic_partition partition{"orders", 3};
    std::cout << to_string(partition) << '\n';
    return to_string(partition) == "orders-3" && strandline::make_error_code(strandline::errc::timed_out) ? 0 : 1;
}
