#include "client/consumer_state.hpp"

#include <system_error>
#include <utility>

#include "client/core_settings.hpp"

namespace strandline::client {

consumer_state::consumer_state(const consumer_config& given, core::boundary::core_config checked,
                               const reactor::clock& clock)
    : config(given),
      core(std::move(checked)),
      time(clock),
      how_to_decode(
          std::make_shared<decoding>(given.max_decompressed_batch_bytes, given.check_crcs, meeting.memory())) {
    meeting.limit_memory(core.memory_limit);
}

result<std::shared_ptr<consumer_state>> consumer_state::create(const consumer_config& config,
                                                               const runtime_factory& make_runtime,
                                                               const reactor::clock& clock) {
    auto checked = core_settings(config);
    if (!checked) return tl::unexpected(std::move(checked.error()));
    auto made = std::make_shared<consumer_state>(config, std::move(*checked), clock);
    try {
        made->running = make_runtime(made->core, made->meeting);
    } catch (const std::system_error& failure) {
        return tl::unexpected(
            error(failure.code(), std::string("cannot start the consumer's thread: ") + failure.what()));
    }
    return made;
}

}  // namespace strandline::client
