// The single target that device code is compiled for, from macros of the compiler:
//
//   __SYCL_TARGET_INTEL_GPU_PVC__ and its like  1 for the architecture, if there is one
//   __SYCL_TARGET_ASPECTS__                     the numbers of its aspects; need not be defined
//
// Only for device code: the host's side sees the macros of all targets.
//
// No precompiled header includes this file.
#pragma once

#ifndef __SYCL_TARGET_ASPECTS__
#define __SYCL_TARGET_ASPECTS__
#endif

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {
namespace detail {

template <int... Listed> constexpr bool is_number_in([[maybe_unused]] int number) {
  return ((number == Listed) || ...);
}

// The string of an undefined macro is its name.
constexpr bool is_one(const char *text) { return text[0] == '1' && text[1] == '\0'; }

constexpr int compiled_architecture() {
#define DOVETAIL_TEXT(MACRO) #MACRO
#define DOVETAIL_VALUE(MACRO) DOVETAIL_TEXT(MACRO)
#define DOVETAIL_ARCHITECTURE(NAME, TARGET, NUMBER)                                                \
  if (is_one(DOVETAIL_VALUE(__SYCL_TARGET_##TARGET##__)))                                          \
    return NUMBER;
#define DOVETAIL_ARCHITECTURE_ALIAS(NAME, ARCHITECTURE)
#include <sycl/detail/architectures.inc>
#undef DOVETAIL_ARCHITECTURE_ALIAS
#undef DOVETAIL_ARCHITECTURE
#undef DOVETAIL_VALUE
#undef DOVETAIL_TEXT
  return -1;
}

struct compiled_target {
  static constexpr int architecture = compiled_architecture();
  static constexpr bool is_one_architecture = architecture >= 0;

  static constexpr bool has_aspect(int number) {
    return is_number_in<__SYCL_TARGET_ASPECTS__>(number);
  }
};

} // namespace detail
} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
