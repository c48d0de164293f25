// What the parts of the project offer to each other: functions for device code, which are
// SYCL_EXTERNAL, and functions for the host.
#pragma once

#include <sycl/sycl.hpp>

// areas.cpp, in a static library
SYCL_EXTERNAL float circle_area(float radius);

// scaling.cpp, in a shared library
SYCL_EXTERNAL float scaled(float value);
void scale_all(sycl::queue &queue, float *values, size_t count);

// sums.cpp, in the program itself
SYCL_EXTERNAL float sum_of_halves(float one, float other);
