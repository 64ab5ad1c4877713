#include "reactor/stop_reason.hpp"

#include <new>
#include <string>
#include <system_error>

namespace strandline::reactor {

error closed_reason() { return {errc::consumer_closed, "The consumer was closed."}; }

error failure_reason(const std::exception& what) {
    const bool is_memory = dynamic_cast<const std::bad_alloc*>(&what) != nullptr;
    return {is_memory ? std::make_error_code(std::errc::not_enough_memory) : make_error_code(errc::internal_failure),
            std::string("The consumer stopped because of an internal failure: ") + what.what() +
                ". Close it and make a new one.",
            {},
            {.retriable = false, .fatal = true}};
}

}  // namespace strandline::reactor
