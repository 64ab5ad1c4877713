#include "testkit/simulator/checkers/observation.hpp"

template class strandline::base::kept_apart<strandline::testkit::sim::happening_kinds>;
