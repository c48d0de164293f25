// access_bits: how a command accesses a buffer, as bits of the runtime's interface.
#pragma once

#include <cstdint>
#include <sycl/access/mode.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

inline constexpr std::uint32_t reads = 1;
inline constexpr std::uint32_t writes = 2;
inline constexpr std::uint32_t needs_no_content = 4;

constexpr std::uint32_t access_bits(access_mode mode, bool no_init) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  std::uint32_t initial = no_init ? needs_no_content : 0;
  switch (mode) {
  case access_mode::read:
    return reads;
  case access_mode::write:
    return writes | initial;
  case access_mode::discard_write:
    return writes | needs_no_content;
  case access_mode::discard_read_write:
    return reads | writes | needs_no_content;
  case access_mode::read_write:
  case access_mode::atomic:
    break;
  }
  return reads | writes | initial;
#pragma clang diagnostic pop
}

} // namespace detail
} // namespace _V1
} // namespace sycl
