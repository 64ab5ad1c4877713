#include "core/exchange/output.hpp"

template class strandline::base::kept_apart<strandline::core::exchange::output_kinds>;
