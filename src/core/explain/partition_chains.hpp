// Why assigned partitions give no records: the chain of those that one thing keeps from it.
#pragma once

#include "core/explain/chain_builder.hpp"
#include "core/explain/survey.hpp"

namespace strandline::core::explain {

// Only if there are partitions of this standing.
void explain_standing(chain_builder& chain, standing which, const situation& at, const survey& all);

}  // namespace strandline::core::explain
