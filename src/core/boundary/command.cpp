#include "core/boundary/command.hpp"

template class strandline::base::kept_apart<strandline::core::boundary::command_kinds>;
