#include "core/exchange/fact.hpp"

template class strandline::base::kept_apart<strandline::core::exchange::fact_kinds>;
