// ldg: a load of data that no work-item modifies while the kernel runs.
#pragma once

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental::cuda {

// Compilers choose the instruction that reads through a cache for constant data themselves, where
// the pointer shows that it is allowed (const and __restrict__).
template <typename DataT> DataT ldg(const DataT *address) { return *address; }

} // namespace ext::oneapi::experimental::cuda
} // namespace _V1
} // namespace sycl
