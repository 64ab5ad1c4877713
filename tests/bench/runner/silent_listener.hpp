// An address of this machine that takes connections and never says anything on them.
#pragma once

#include <string>

namespace strandline::bench {

class silent_listener {
public:
    silent_listener();
    ~silent_listener();
    silent_listener(const silent_listener&) = delete;
    silent_listener& operator=(const silent_listener&) = delete;

    const std::string& address() const noexcept { return address_; }

private:
    int socket_ = -1;
    std::string address_;
};

}  // namespace strandline::bench
