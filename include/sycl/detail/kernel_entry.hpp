// The entry points of kernels. Clang makes a kernel of each instance in the device's compilation;
// on the host their bodies are empty, and the handler asks the runtime to start them.
#pragma once

#include <sycl/detail/work_item.hpp>
#include <sycl/id.hpp>
#include <sycl/item.hpp>
#include <sycl/nd_item.hpp>
#include <sycl/range.hpp>
#include <type_traits>

// Without -fsycl clang does not know the attribute either; then nothing starts a kernel.
#if __is_identifier(__builtin_sycl_unique_stable_name)
#define DOVETAIL_ENTRY_POINT(NAME)
#else
#define DOVETAIL_ENTRY_POINT(NAME) [[clang::sycl_kernel_entry_point(NAME)]]
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename Kernel> void run_task(const Kernel &kernel) { kernel(); }

// An item converts to an id and, in one dimension, to a number: whatever of these the kernel takes.
template <int Dimensions, typename Kernel> void run_item(const Kernel &kernel) {
  constexpr bool any_item = std::is_invocable_v<const Kernel &, item<Dimensions, true>>;
  static_assert(any_item || std::is_invocable_v<const Kernel &, item<Dimensions, false>>,
                "a kernel over a range takes an item or an id of its dimensions, or a number if "
                "there is one dimension, and is callable if const");
  kernel(item_access::make<any_item>(work_item::global_id<Dimensions>(),
                                     work_item::global_range<Dimensions>()));
}

template <int Dimensions, typename Kernel> void run_nd_item(const Kernel &kernel) {
  static_assert(std::is_invocable_v<const Kernel &, nd_item<Dimensions>>,
                "a kernel over an nd_range takes an nd_item of its dimensions, and is callable if "
                "const");
  kernel(nd_item_access::make<Dimensions>());
}

// These do no more than call: in clang 22 a local variable of an entry point that is initialised
// from the parameter may come out null.
template <typename Name, typename Kernel>
DOVETAIL_ENTRY_POINT(Name)
void task_entry(Kernel kernel) {
  run_task(kernel);
}

template <typename Name, int Dimensions, typename Kernel>
DOVETAIL_ENTRY_POINT(Name)
void range_entry(Kernel kernel) {
  run_item<Dimensions>(kernel);
}

template <typename Name, int Dimensions, typename Kernel>
DOVETAIL_ENTRY_POINT(Name)
void nd_range_entry(Kernel kernel) {
  run_nd_item<Dimensions>(kernel);
}

} // namespace detail
} // namespace _V1
} // namespace sycl

#undef DOVETAIL_ENTRY_POINT
