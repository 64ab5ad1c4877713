#include "core/boundary/completion.hpp"

template class strandline::base::kept_apart<strandline::core::boundary::operation_value_kinds>;
