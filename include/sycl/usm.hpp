// Unified shared memory: allocations whose addresses mean the same on host and device.
#pragma once

#include <cstddef>
#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/property_list.hpp>
#include <sycl/queue.hpp>
#include <sycl/usm/alloc.hpp>

namespace sycl {
inline namespace _V1 {

// All return null if there is not enough memory, or the size is 0.
void *aligned_alloc(std::size_t alignment, std::size_t size, const device &owner,
                    const context &where, usm::alloc kind, const property_list &properties = {});

void free(void *address, const context &where);
inline void free(void *address, const queue &q) { free(address, q.get_context()); }

// Other memory is of kind unknown, and has no device.
usm::alloc get_pointer_type(const void *address, const context &where);
device get_pointer_device(const void *address, const context &where);

namespace detail {

// The size overflows, which is treated as a lack of memory.
template <typename DataT> constexpr std::size_t bytes_for(std::size_t count) {
  std::size_t size = 0;
  return __builtin_mul_overflow(count, sizeof(DataT), &size) ? static_cast<std::size_t>(-1) : size;
}

} // namespace detail

inline void *aligned_alloc(std::size_t alignment, std::size_t size, const queue &q, usm::alloc kind,
                           const property_list &properties = {}) {
  return aligned_alloc(alignment, size, q.get_device(), q.get_context(), kind, properties);
}
template <typename DataT>
DataT *aligned_alloc(std::size_t alignment, std::size_t count, const device &owner,
                     const context &where, usm::alloc kind, const property_list &properties = {}) {
  if (alignment < alignof(DataT))
    alignment = alignof(DataT);
  return static_cast<DataT *>(
      aligned_alloc(alignment, detail::bytes_for<DataT>(count), owner, where, kind, properties));
}
template <typename DataT>
DataT *aligned_alloc(std::size_t alignment, std::size_t count, const queue &q, usm::alloc kind,
                     const property_list &properties = {}) {
  return aligned_alloc<DataT>(alignment, count, q.get_device(), q.get_context(), kind, properties);
}

// With an alignment of 0, the runtime chooses it.
inline void *malloc(std::size_t size, const device &owner, const context &where, usm::alloc kind,
                    const property_list &properties = {}) {
  return aligned_alloc(0, size, owner, where, kind, properties);
}
inline void *malloc(std::size_t size, const queue &q, usm::alloc kind,
                    const property_list &properties = {}) {
  return aligned_alloc(0, size, q, kind, properties);
}
template <typename DataT>
DataT *malloc(std::size_t count, const device &owner, const context &where, usm::alloc kind,
              const property_list &properties = {}) {
  return aligned_alloc<DataT>(0, count, owner, where, kind, properties);
}
template <typename DataT>
DataT *malloc(std::size_t count, const queue &q, usm::alloc kind,
              const property_list &properties = {}) {
  return aligned_alloc<DataT>(0, count, q, kind, properties);
}

// malloc_KIND and aligned_alloc_KIND, of bytes and of elements.
#define DOVETAIL_ALLOCATION(KIND)                                                                  \
  inline void *malloc_##KIND(std::size_t size, const device &owner, const context &where,          \
                             const property_list &properties = {}) {                               \
    return malloc(size, owner, where, usm::alloc::KIND, properties);                               \
  }                                                                                                \
  inline void *malloc_##KIND(std::size_t size, const queue &q,                                     \
                             const property_list &properties = {}) {                               \
    return malloc(size, q, usm::alloc::KIND, properties);                                          \
  }                                                                                                \
  template <typename DataT>                                                                        \
  DataT *malloc_##KIND(std::size_t count, const device &owner, const context &where,               \
                       const property_list &properties = {}) {                                     \
    return malloc<DataT>(count, owner, where, usm::alloc::KIND, properties);                       \
  }                                                                                                \
  template <typename DataT>                                                                        \
  DataT *malloc_##KIND(std::size_t count, const queue &q, const property_list &properties = {}) {  \
    return malloc<DataT>(count, q, usm::alloc::KIND, properties);                                  \
  }                                                                                                \
  inline void *aligned_alloc_##KIND(std::size_t alignment, std::size_t size, const device &owner,  \
                                    const context &where, const property_list &properties = {}) {  \
    return aligned_alloc(alignment, size, owner, where, usm::alloc::KIND, properties);             \
  }                                                                                                \
  inline void *aligned_alloc_##KIND(std::size_t alignment, std::size_t size, const queue &q,       \
                                    const property_list &properties = {}) {                        \
    return aligned_alloc(alignment, size, q, usm::alloc::KIND, properties);                        \
  }                                                                                                \
  template <typename DataT>                                                                        \
  DataT *aligned_alloc_##KIND(std::size_t alignment, std::size_t count, const device &owner,       \
                              const context &where, const property_list &properties = {}) {        \
    return aligned_alloc<DataT>(alignment, count, owner, where, usm::alloc::KIND, properties);     \
  }                                                                                                \
  template <typename DataT>                                                                        \
  DataT *aligned_alloc_##KIND(std::size_t alignment, std::size_t count, const queue &q,            \
                              const property_list &properties = {}) {                              \
    return aligned_alloc<DataT>(alignment, count, q, usm::alloc::KIND, properties);                \
  }

DOVETAIL_ALLOCATION(device)
DOVETAIL_ALLOCATION(shared)
#undef DOVETAIL_ALLOCATION

// The host's memory belongs to no device.
void *aligned_alloc_host(std::size_t alignment, std::size_t size, const context &where,
                         const property_list &properties = {});
inline void *aligned_alloc_host(std::size_t alignment, std::size_t size, const queue &q,
                                const property_list &properties = {}) {
  return aligned_alloc(alignment, size, q, usm::alloc::host, properties);
}
template <typename DataT>
DataT *aligned_alloc_host(std::size_t alignment, std::size_t count, const context &where,
                          const property_list &properties = {}) {
  if (alignment < alignof(DataT))
    alignment = alignof(DataT);
  return static_cast<DataT *>(
      aligned_alloc_host(alignment, detail::bytes_for<DataT>(count), where, properties));
}
template <typename DataT>
DataT *aligned_alloc_host(std::size_t alignment, std::size_t count, const queue &q,
                          const property_list &properties = {}) {
  return aligned_alloc_host<DataT>(alignment, count, q.get_context(), properties);
}
inline void *malloc_host(std::size_t size, const context &where,
                         const property_list &properties = {}) {
  return aligned_alloc_host(0, size, where, properties);
}
inline void *malloc_host(std::size_t size, const queue &q, const property_list &properties = {}) {
  return aligned_alloc_host(0, size, q, properties);
}
template <typename DataT>
DataT *malloc_host(std::size_t count, const context &where, const property_list &properties = {}) {
  return aligned_alloc_host<DataT>(0, count, where, properties);
}
template <typename DataT>
DataT *malloc_host(std::size_t count, const queue &q, const property_list &properties = {}) {
  return aligned_alloc_host<DataT>(0, count, q, properties);
}

} // namespace _V1
} // namespace sycl
