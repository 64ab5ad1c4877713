// Time, asked for by whoever turns a reactor or makes calls: never by what is turned.
#pragma once

#include "base/instant.hpp"

namespace strandline::reactor {

class clock {
public:
    virtual ~clock() = default;
    virtual base::instant now() const = 0;
    virtual base::wall_time wall() const = 0;
};

}  // namespace strandline::reactor
