// `strandline fake`: the fake cluster of the test kit as a program.
#pragma once

#include "apps/command_line/fake_options.hpp"

namespace strandline::apps::fake {

// Until a signal. The exit status.
int run(const command_line::fake_options& options);

}  // namespace strandline::apps::fake
