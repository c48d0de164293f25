// run_items: the loop of parallel_for_work_item.
#pragma once

#include <cstddef>
#include <sycl/detail/work_item.hpp>
#include <sycl/h_item.hpp>
#include <sycl/id.hpp>
#include <sycl/range.hpp>
#include <type_traits>

#ifdef __SYCL_DEVICE_ONLY__
#include <sycl/external.hpp>

// Not defined: a pass replaces their calls at work-group scope. The results are the offset of an
// allocation in the frame, a constant, and the address of the work-item's own frame.
extern "C" SYCL_EXTERNAL std::size_t __dovetail_allocatePrivate(std::size_t size,
                                                                std::size_t alignment) noexcept;
extern "C" SYCL_EXTERNAL unsigned char *__dovetail_privateFrame() noexcept;

// Of a function that all work-items call, with the arguments that the leader of the group computed.
#define DOVETAIL_COLLECTIVE                                                                        \
  [[__sycl_detail__::__add_ir_attributes_function__("dovetail-collective", true)]]
#else
#include <sycl/detail/device_only.hpp>
#define DOVETAIL_COLLECTIVE
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT> std::size_t allocate_private() {
#ifdef __SYCL_DEVICE_ONLY__
  return ::__dovetail_allocatePrivate(sizeof(DataT), alignof(DataT));
#else
  device_only();
#endif
}

inline unsigned char *private_frame() {
#ifdef __SYCL_DEVICE_ONLY__
  return ::__dovetail_privateFrame();
#else
  device_only();
#endif
}

template <int Dimensions, typename Function>
DOVETAIL_COLLECTIVE void run_items(unsigned char *frame, const Function &function) {
  static_assert(std::is_invocable_v<const Function &, const h_item<Dimensions>>,
                "parallel_for_work_item calls a function that takes an h_item of its dimensions, "
                "and is callable if const");
  function(h_item_access::make(work_item::local_id<Dimensions>(),
                               work_item::local_range<Dimensions>(), frame));
}

// A physical work-item runs every so many logical ones, in each dimension.
template <int Dimensions, typename Function>
DOVETAIL_COLLECTIVE void run_logical_items(unsigned char *frame, const range<Dimensions> &sizes,
                                           const Function &function) {
  id<Dimensions> first = work_item::local_id<Dimensions>();
  range<Dimensions> step = work_item::local_range<Dimensions>();
  id<Dimensions> at;
  for (at[0] = first[0]; at[0] < sizes[0]; at[0] += step[0])
    if constexpr (Dimensions == 1)
      function(h_item_access::make(at, sizes, frame));
    else
      for (at[1] = first[1]; at[1] < sizes[1]; at[1] += step[1])
        if constexpr (Dimensions == 2)
          function(h_item_access::make(at, sizes, frame));
        else
          for (at[2] = first[2]; at[2] < sizes[2]; at[2] += step[2])
            function(h_item_access::make(at, sizes, frame));
}

} // namespace detail
} // namespace _V1
} // namespace sycl

#undef DOVETAIL_COLLECTIVE
