// SYCL's names of scalar types.
#pragma once

#include <cstdint>
#include <sycl/detail/deprecated.hpp>
#include <sycl/half.hpp>

namespace sycl {
inline namespace _V1 {

using byte DOVETAIL_DEPRECATED("use std::byte") = std::uint8_t;
using schar DOVETAIL_DEPRECATED("use signed char") = signed char;
using uchar DOVETAIL_DEPRECATED("use unsigned char") = unsigned char;
using ushort DOVETAIL_DEPRECATED("use unsigned short") = unsigned short;
using uint DOVETAIL_DEPRECATED("use unsigned int") = unsigned int;
using ulong DOVETAIL_DEPRECATED("use unsigned long") = unsigned long;
using longlong DOVETAIL_DEPRECATED("use long long") = long long;
using ulonglong DOVETAIL_DEPRECATED("use unsigned long long") = unsigned long long;

// OpenCL's types, whose sizes are the same on every system.
#define DOVETAIL_ALIAS(NAME, TYPE)                                                                 \
  namespace opencl {                                                                               \
  using NAME = TYPE;                                                                               \
  }                                                                                                \
  using NAME DOVETAIL_DEPRECATED("use sycl::opencl::" #NAME) = TYPE;
DOVETAIL_ALIAS(cl_bool, bool)
DOVETAIL_ALIAS(cl_char, std::int8_t)
DOVETAIL_ALIAS(cl_uchar, std::uint8_t)
DOVETAIL_ALIAS(cl_short, std::int16_t)
DOVETAIL_ALIAS(cl_ushort, std::uint16_t)
DOVETAIL_ALIAS(cl_int, std::int32_t)
DOVETAIL_ALIAS(cl_uint, std::uint32_t)
DOVETAIL_ALIAS(cl_long, std::int64_t)
DOVETAIL_ALIAS(cl_ulong, std::uint64_t)
DOVETAIL_ALIAS(cl_half, half)
DOVETAIL_ALIAS(cl_float, float)
DOVETAIL_ALIAS(cl_double, double)
#undef DOVETAIL_ALIAS

} // namespace _V1
} // namespace sycl
