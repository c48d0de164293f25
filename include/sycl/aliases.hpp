// SYCL's names of scalar types.
#pragma once

#include <cstdint>

namespace sycl {
inline namespace _V1 {

using byte = std::uint8_t;
using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;

} // namespace _V1
} // namespace sycl
