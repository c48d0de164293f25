// The entry points of kernels. Clang makes a kernel of each instance in the device's compilation;
// on the host their bodies are empty, and the handler asks the runtime to start them.
#pragma once

#include <sycl/detail/kernel_call.hpp>
#include <sycl/detail/property_attributes.hpp>
#include <sycl/detail/property_lists.hpp>
#include <sycl/detail/work_group_scope.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/group.hpp>
#include <sycl/id.hpp>
#include <sycl/item.hpp>
#include <sycl/nd_item.hpp>
#include <sycl/range.hpp>
#include <type_traits>

// Without -fsycl, clang does not know the attribute; then no kernels are launched.
#if __is_identifier(__builtin_sycl_unique_stable_name)
#define DOVETAIL_ENTRY_POINT(NAME)
#else
#define DOVETAIL_ENTRY_POINT(NAME) [[clang::sycl_kernel_entry_point(NAME)]]
#endif

namespace sycl {
inline namespace _V1 {
namespace detail {

// SYCL asks that a kernel be callable if const. The first design of kernel properties shows tasks
// that are not.
template <typename Kernel> void run_task(const Kernel &kernel) {
  if constexpr (takes_arguments<Kernel>::value) {
    call_kernel(kernel);
  } else {
    Kernel own(kernel);
    own();
  }
}

// An item converts to an id and, in one dimension, to a number: whatever of these the kernel takes.
// Items are const, as in DPC++: `auto &` becomes `const item &`, which a temporary can be passed
// to. A generic kernel is instantiated for no other type of item than it receives. A kernel that
// takes something else is not called: the assertion is the only error then.
template <int Dimensions, typename Kernel> void run_item(const Kernel &kernel) {
  using takes_any = takes_arguments<Kernel, const item<Dimensions, true>>;
  using takes_plain = takes_arguments<Kernel, const item<Dimensions, false>>;
  constexpr bool takes_item = std::disjunction_v<takes_any, takes_plain>;
  static_assert(takes_item,
                "a kernel over a range takes an item or an id of its dimensions, or a number if "
                "there is one dimension, then possibly a kernel_handler, and is callable if const");
  if constexpr (takes_item)
    call_kernel(kernel,
                item_access::make<takes_any::value>(work_item::global_id<Dimensions>(),
                                                    work_item::global_range<Dimensions>(),
                                                    work_item::global_offset<Dimensions>()));
}

template <int Dimensions, typename Kernel> void run_nd_item(const Kernel &kernel) {
  constexpr bool takes_nd_item = takes_arguments<Kernel, const nd_item<Dimensions>>::value;
  static_assert(takes_nd_item,
                "a kernel over an nd_range takes an nd_item of its dimensions, then possibly a "
                "kernel_handler, and is callable if const");
  if constexpr (takes_nd_item)
    call_kernel(kernel, nd_item_access::make<Dimensions>());
}

template <int Dimensions, typename Kernel> void run_groups(const Kernel &kernel) {
  constexpr bool takes_group = takes_arguments<Kernel, const group<Dimensions>>::value;
  static_assert(takes_group,
                "a kernel over work-groups takes a group of its dimensions, then possibly a "
                "kernel_handler, and is callable if const");
  if constexpr (takes_group)
    run_group<Dimensions>(group_access::make<Dimensions>().leader(), kernel);
}

// The entry points of kernels with some properties. They do no more than call: in clang 22 a local
// variable of an entry point that is initialized from the parameter may come out null.
template <typename List> struct kernel_entries;

#define DOVETAIL_ENTRIES(...)                                                                      \
  template <typename Name, typename Kernel>                                                        \
  DOVETAIL_ENTRY_POINT(Name)                                                                       \
  __VA_ARGS__ static void task(Kernel kernel) {                                                    \
    run_task(kernel);                                                                              \
  }                                                                                                \
  template <typename Name, int Dimensions, typename Kernel>                                        \
  DOVETAIL_ENTRY_POINT(Name)                                                                       \
  __VA_ARGS__ static void over_range(Kernel kernel) {                                              \
    run_item<Dimensions>(kernel);                                                                  \
  }                                                                                                \
  template <typename Name, int Dimensions, typename Kernel>                                        \
  DOVETAIL_ENTRY_POINT(Name)                                                                       \
  __VA_ARGS__ static void over_nd_range(Kernel kernel) {                                           \
    run_nd_item<Dimensions>(kernel);                                                               \
  }                                                                                                \
  template <typename Name, int Dimensions, typename Kernel>                                        \
  DOVETAIL_ENTRY_POINT(Name)                                                                       \
  __VA_ARGS__ static void over_groups(Kernel kernel) {                                             \
    run_groups<Dimensions>(kernel);                                                                \
  }

template <typename... Properties>
struct kernel_entries<ext::oneapi::experimental::detail::properties_type_list<Properties...>> {
  DOVETAIL_ENTRIES(DOVETAIL_FUNCTION_PROPERTIES(Properties))
};
// Most kernels have none, and nothing to say.
template <> struct kernel_entries<ext::oneapi::experimental::detail::properties_type_list<>> {
  DOVETAIL_ENTRIES()
};

#undef DOVETAIL_ENTRIES

} // namespace detail
} // namespace _V1
} // namespace sycl

#undef DOVETAIL_ENTRY_POINT
