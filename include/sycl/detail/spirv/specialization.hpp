// The device function that reads a specialization constant. A pass replaces its calls by one
// function for each scalar in the constant, which the toolchain defines when it knows the target.
#pragma once

#include <sycl/external.hpp>

// `id` is the address of a specialization_id, which has to be known when the program is compiled.
SYCL_EXTERNAL void __dovetail_readSpecializationConstant(void *value, const void *id) noexcept;
