#include "core/boundary/asynchronous_commits.hpp"

#include <fmt/format.h>

namespace strandline::core::boundary {

error commit_superseded() {
    return {errc::commit_superseded,
            fmt::format("commit_async: a newer commit carries these offsets, because more than {} waited to be sent",
                        asynchronous_commit_limit)};
}

}  // namespace strandline::core::boundary
