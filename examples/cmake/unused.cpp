// A member of the archive that nobody needs: the program is linked without it.
#include <sycl/sycl.hpp>

#include "shapes.hpp"

SYCL_EXTERNAL float not_needed(float value) { return value; }
