// errc: what kind of error an exception reports, as a std::error_code.
#pragma once

#include <string>
#include <system_error>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

// The numbers are an ABI: functions of the runtime return them.
enum class errc : unsigned int {
  success = 0,
  runtime = 1,
  kernel = 2,
  accessor = 3,
  nd_range = 4,
  event = 5,
  kernel_argument = 6,
  build = 7,
  invalid = 8,
  memory_allocation = 9,
  platform = 10,
  profiling = 11,
  feature_not_supported = 12,
  kernel_not_supported = 13,
  backend_mismatch = 14,
};

const std::error_category &sycl_category() noexcept;
std::error_code make_error_code(errc code) noexcept;

} // namespace _V1
} // namespace sycl

template <> struct std::is_error_code_enum<sycl::errc> : std::true_type {};

namespace sycl {
inline namespace _V1 {

// Each shared library has a separate category, and std::error_code compares them by address.
inline bool operator==(const std::error_code &code, errc other) noexcept {
  return code.value() == static_cast<int>(other) &&
         code.category().name() == std::string(sycl_category().name());
}
inline bool operator==(errc other, const std::error_code &code) noexcept { return code == other; }
inline bool operator!=(const std::error_code &code, errc other) noexcept {
  return !(code == other);
}
inline bool operator!=(errc other, const std::error_code &code) noexcept {
  return !(code == other);
}

} // namespace _V1
} // namespace sycl
