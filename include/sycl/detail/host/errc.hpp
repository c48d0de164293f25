// The category of SYCL's error codes, and the names of the codes.
#pragma once

#include <string>
#include <sycl/detail/host/body.hpp>
#include <sycl/errc.hpp>
#include <system_error>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

class error_category : public std::error_category {
public:
  const char *name() const noexcept override { return "sycl"; }

  std::string message(int code) const override { return text(static_cast<errc>(code)); }

private:
  static const char *text(errc code) {
    switch (code) {
    case errc::success:
      return "success";
    case errc::runtime:
      return "runtime error";
    case errc::kernel:
      return "error in a kernel";
    case errc::accessor:
      return "wrong use of an accessor";
    case errc::nd_range:
      return "the nd_range does not suit the kernel or the device";
    case errc::event:
      return "wrong use of an event";
    case errc::kernel_argument:
      return "wrong kernel argument";
    case errc::build:
      return "the device code cannot be built";
    case errc::invalid:
      return "invalid value";
    case errc::memory_allocation:
      return "out of memory";
    case errc::platform:
      return "wrong platform";
    case errc::profiling:
      return "no profiling information";
    case errc::feature_not_supported:
      return "the device lacks a feature";
    case errc::kernel_not_supported:
      return "the device cannot run the kernel";
    case errc::backend_mismatch:
      return "objects of different back-ends";
    }
    return "unknown error";
  }
};

} // namespace host
} // namespace detail

DOVETAIL_HOST_BODY const std::error_category &sycl_category() noexcept {
  static const detail::host::error_category category;
  return category;
}

DOVETAIL_HOST_BODY std::error_code make_error_code(errc code) noexcept {
  return {static_cast<int>(code), sycl_category()};
}

} // namespace _V1
} // namespace sycl
