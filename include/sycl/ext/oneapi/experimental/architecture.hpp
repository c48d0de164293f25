// architecture: device architectures. The numbers are an ABI: compiled conditions contain them.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

enum class architecture : int {
  unknown = -1, // reported by devices of unknown architecture; not usable in conditions
#define DOVETAIL_ARCHITECTURE(NAME, TARGET, NUMBER) NAME = NUMBER,
#define DOVETAIL_ARCHITECTURE_ALIAS(NAME, ARCHITECTURE) NAME = ARCHITECTURE,
#include <sycl/detail/architectures.inc>
#undef DOVETAIL_ARCHITECTURE_ALIAS
#undef DOVETAIL_ARCHITECTURE
};

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
