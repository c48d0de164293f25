// The header of SYCL 1.2.1, whose names are in namespace cl::sycl.
#pragma once

#include <sycl/sycl.hpp>

#ifdef DOVETAIL_DEPRECATION_WARNINGS
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpedantic" // before C++23
#warning "CL/sycl.hpp is deprecated, use sycl/sycl.hpp"
#pragma clang diagnostic pop
#endif

namespace cl {
namespace sycl = ::sycl;
}
