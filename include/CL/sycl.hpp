// The header of SYCL 1.2.1, whose names are in namespace cl::sycl.
#pragma once

#include <sycl/sycl.hpp>

namespace cl {
namespace sycl = ::sycl;
}
