// Boost.JSON is compiled here, from its headers: no library to link.
#include <boost/json/src.hpp>
