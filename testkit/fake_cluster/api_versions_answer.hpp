// The answer to an ApiVersions request of a version that nobody speaks.
#pragma once

#include "testkit/fake_cluster/reply.hpp"

namespace strandline::testkit::fake {

// To be sent in version 0: it lists the versions of ApiVersions itself.
any_response unsupported_api_versions();

}  // namespace strandline::testkit::fake
