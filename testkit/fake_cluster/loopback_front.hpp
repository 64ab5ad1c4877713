// Serves a fake_cluster_core on loopback ports, one per broker, on a thread of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "testkit/fake_cluster/fake_cluster_core.hpp"

namespace strandline::testkit::fake {

class loopback_front {
public:
    // Ports are free ones, but for `first_port` (0: free as well) of the first broker. Throws std::system_error.
    loopback_front(const cluster_options& options, std::uint16_t first_port);
    ~loopback_front();
    loopback_front(const loopback_front&) = delete;
    loopback_front& operator=(const loopback_front&) = delete;

    // Runs `change` on the cluster's thread, between two inputs, and returns when it is done; whoever waited for what
    // it changed is answered. Not from inside such a change or an interceptor.
    void with_core(const std::function<void(fake_cluster_core&, base::instant, base::wall_time)>& change);

private:
    class server;
    std::unique_ptr<server> server_;
};

}  // namespace strandline::testkit::fake
