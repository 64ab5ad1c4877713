#include "access/refusal.hpp"

#include <chrono>
#include <functional>

#include <fmt/format.h>

namespace strandline::access {

namespace {

// The system's number of a thread is not known here; its hash tells threads apart just as well.
std::string name(const occupant& who) {
    return fmt::format("{} (thread {:x})", who.operation, std::hash<std::thread::id>{}(who.thread));
}

std::string age(base::duration since) { return fmt::format("{:.3f} s", std::chrono::duration<double>(since).count()); }

}  // namespace

error refused(const occupant& who, const occupant& inside, base::instant now) {
    return {errc::concurrent_modification,
            fmt::format(
                "{} came while {} is inside, for {} already. A consumer serves one caller at a time: use it from one "
                "thread, or from a callback through its access; wakeup() is allowed from any.",
                name(who), name(inside), age(now - inside.since)),
            {},
            {.retriable = true}};
}

error expired(const occupant& who) {
    return {errc::access_expired,
            fmt::format("{}: the callback this access was given to has returned. Call the consumer itself instead.",
                        name(who))};
}

error queued_too_long(const occupant& who, const occupant& inside, base::instant now) {
    return {errc::timed_out,
            fmt::format("{} waited behind {}, called through the same access, and reached its deadline after {}",
                        name(who), name(inside), age(now - who.since)),
            {},
            {.retriable = true}};
}

}  // namespace strandline::access
