// A member of the archive that the program does not use: it is not linked.
#include <sycl/sycl.hpp>

#include "shapes.hpp"

SYCL_EXTERNAL float not_needed(float value) { return value; }
