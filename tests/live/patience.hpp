// Waiting for what another process does: a condition, a deadline, and a sentence for when it was not met.
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>

namespace strandline::live {

// What a test waited for did not happen. Carries the sentence.
class not_in_time : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Returns once `condition` holds; throws not_in_time with "WHAT, waited N s" after `timeout`. Brokers tell nobody when
// their state changes, so it is asked for, a few dozen times a second.
void eventually(const std::string& what, std::chrono::milliseconds timeout, const std::function<bool()>& condition);

// Throws not_in_time as soon as `condition` does not hold during `span`.
void throughout(const std::string& what, std::chrono::milliseconds span, const std::function<bool()>& condition);

}  // namespace strandline::live
