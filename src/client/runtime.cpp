#include "client/runtime.hpp"

#include "asio/asio_clock.hpp"
#include "asio/reactor_host.hpp"

namespace strandline::client {

namespace {

class threaded_runtime final : public runtime {
public:
    threaded_runtime(const core::boundary::core_config& config, handoff::handoff& meeting) : host_(config, meeting) {}

private:
    asio::reactor_host host_;
};

}  // namespace

std::unique_ptr<runtime> make_threaded_runtime(const core::boundary::core_config& config, handoff::handoff& meeting) {
    return std::make_unique<threaded_runtime>(config, meeting);
}

const reactor::clock& system_clock() noexcept {
    static const asio::asio_clock clock;
    return clock;
}

}  // namespace strandline::client
