// `strandline consume`: from options to exit status.
#pragma once

#include "apps/command_line/consume_options.hpp"

namespace strandline::apps::consume {

int run(const command_line::consume_options& options);

}  // namespace strandline::apps::consume
