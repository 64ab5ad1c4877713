#include "core/boundary/notice.hpp"

template class strandline::base::kept_apart<strandline::core::boundary::notice_kinds>;
