// The properties of a kernel: arguments of the call that launches it, or of the kernel object.
#pragma once

#include <sycl/detail/property_lists.hpp>
#include <sycl/ext/oneapi/kernel_properties/properties.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {

class kernel;

namespace detail {

namespace experimental = ext::oneapi::experimental;

template <typename List> List list_in(const experimental::properties<List> &);

// `static constexpr auto properties = ...`; a member of that name may be anything else.
template <typename Kernel, typename = void> struct list_by_member {
  using type = void;
};
template <typename Kernel>
struct list_by_member<Kernel, std::enable_if_t<experimental::is_property_list_v<
                                  std::remove_const_t<decltype(Kernel::properties)>>>> {
  using type = decltype(list_in(Kernel::properties));
};

// `auto get(properties_tag) const`.
template <typename Kernel>
using got_properties =
    decltype(static_cast<const Kernel *>(nullptr)->get(experimental::properties_tag()));
template <typename Kernel, typename = void> struct list_by_get {
  using type = void;
};
template <typename Kernel> struct list_by_get<Kernel, std::void_t<got_properties<Kernel>>> {
  static_assert(experimental::is_property_list_v<std::decay_t<got_properties<Kernel>>>,
                "get(properties_tag) of a kernel object returns a list of properties");
  using type = decltype(list_in(static_cast<got_properties<Kernel> (*)()>(nullptr)()));
};

// Kernels have no run-time properties: nothing would read them.
template <typename List> struct checked_list;
template <typename... Properties>
struct checked_list<experimental::detail::properties_type_list<Properties...>> {
  static_assert((experimental::detail::is_taken_by<Properties, kernel> && ...),
                "one of these properties is not for kernels");
  static_assert((experimental::detail::is_compile_time<Properties>::value && ...),
                "properties of kernels are known when the program is compiled");
  using type = experimental::detail::properties_type_list<Properties...>;
};
template <> struct checked_list<void> {
  using type = experimental::detail::properties_type_list<>;
};

// The properties that the call passes; void if none.
template <typename Kernel, typename Given = void> struct list_of_kernel {
  using by_member = typename list_by_member<Kernel>::type;
  using by_get = typename list_by_get<Kernel>::type;
  static_assert(std::is_void_v<by_member> + std::is_void_v<by_get> + std::is_void_v<Given> >= 2,
                "a kernel has its properties from one place: the call that starts it, a member "
                "'properties' of its object, or a member get(properties_tag)");
  using of_object = std::conditional_t<std::is_void_v<by_get>, by_member, by_get>;
  using type =
      typename checked_list<std::conditional_t<std::is_void_v<Given>, of_object, Given>>::type;
};

template <typename Kernel, typename Given = void>
using kernel_properties = typename list_of_kernel<Kernel, Given>::type;

} // namespace detail
} // namespace _V1
} // namespace sycl
