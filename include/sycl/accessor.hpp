// accessor: access to the content of a buffer in a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <sycl/access/address_space.hpp>
#include <sycl/access/decorated.hpp>
#include <sycl/access/mode.hpp>
#include <sycl/access/placeholder.hpp>
#include <sycl/access/target.hpp>
#include <sycl/access_tags.hpp>
#include <sycl/detail/access_bits.hpp>
#include <sycl/detail/accessor_access.hpp>
#include <sycl/detail/accessor_container.hpp>
#include <sycl/detail/accessor_options.hpp>
#include <sycl/detail/accessor_subscript.hpp>
#include <sycl/detail/buffer_access.hpp>
#include <sycl/detail/buffer_memory.hpp>
#include <sycl/detail/buffer_state.hpp>
#include <sycl/detail/declarations.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host_task_memory.hpp>
#include <sycl/detail/kernel_argument.hpp>
#include <sycl/detail/linear_id.hpp>
#include <sycl/detail/memory_region.hpp>
#include <sycl/detail/not_deduced.hpp>
#include <sycl/detail/property_attributes.hpp>
#include <sycl/detail/property_lists.hpp>
#include <sycl/errc.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/ext/oneapi/property_list.hpp>
#include <sycl/handler.hpp>
#include <sycl/id.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/property_list.hpp>
#include <sycl/range.hpp>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {
namespace detail {

// The element type of a read-only accessor is const.
template <typename DataT, access_mode Mode>
using accessed_type = std::conditional_t<Mode == access_mode::read, const DataT, DataT>;

template <typename... Properties>
using property_pack = ext::oneapi::experimental::properties<
    ext::oneapi::experimental::detail::properties_type_list<Properties...>>;

} // namespace detail

// Kernel objects are copied as bytes, so the accessor contains only numbers for kernels, and the
// command group keeps the buffer alive. Size and layout are the same on host and device.
template <typename DataT, int Dimensions, access_mode Mode, target Target,
          access::placeholder IsPlaceholder, typename... Properties>
class DOVETAIL_KERNEL_ARGUMENT("buffer") DOVETAIL_KERNEL_PARAMETER_PROPERTIES(Properties)
    accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, detail::property_pack<Properties...>>
    : public detail::accessor_subscript<accessor<DataT, Dimensions, Mode, Target, IsPlaceholder,
                                                 detail::property_pack<Properties...>>,
                                        detail::accessed_type<DataT, Mode>, Dimensions>,
      public detail::accessor_container<accessor<DataT, Dimensions, Mode, Target, IsPlaceholder,
                                                 detail::property_pack<Properties...>>,
                                        detail::accessed_type<DataT, Mode>, Dimensions> {
  static_assert((ext::oneapi::experimental::detail::is_taken_by<Properties, accessor> && ...),
                "one of these properties is not for accessors");
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  static_assert(Target == target::device || Target == target::constant_buffer ||
                    Target == target::host_task,
                "an accessor has target device or host_task");
#pragma clang diagnostic pop

  using element = std::remove_const_t<DataT>;
  using subscript =
      detail::accessor_subscript<accessor, detail::accessed_type<DataT, Mode>, Dimensions>;

  // The buffer's dimensions: an accessor of none covers one element of a one-dimensional buffer.
  static constexpr int memory_dimensions = Dimensions == 0 ? 1 : Dimensions;
  using memory_range = range<memory_dimensions>;
  using memory_id = id<memory_dimensions>;
  template <typename Content, typename Allocator>
  using buffer_type = buffer<Content, memory_dimensions, Allocator>;
  // The element type of a buffer may be const.
  template <typename Content>
  using if_content = std::enable_if_t<std::is_same_v<std::remove_const_t<Content>, element>, int>;

  using list = detail::property_pack<Properties...>;
  using options = detail::accessor_options<list>;
  using tag = mode_tag_t<Mode>;
  using target_tag = mode_target_tag_t<Mode, Target>;

public:
  using value_type = detail::accessed_type<DataT, Mode>;
  using reference = value_type &;
  using const_reference = const DataT &;
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<value_type, access::address_space::global_space, Decorated>;
  using size_type = std::size_t;

  accessor() = default;

  // With a handler the accessor belongs to that command group, without one it is a placeholder.

#define DOVETAIL_CONSTRUCTORS(...)                                                                 \
  template <typename Content, typename Allocator, if_content<Content> = 0>                         \
  accessor(buffer_type<Content, Allocator> &b __VA_ARGS__, const options &properties = {})         \
      : accessor(b, whole(b), memory_id(), properties, nullptr) {}                                 \
  template <typename Content, typename Allocator, if_content<Content> = 0>                         \
  accessor(buffer_type<Content, Allocator> &b, handler &h __VA_ARGS__,                             \
           const options &properties = {})                                                         \
      : accessor(b, whole(b), memory_id(), properties, &h) {}                                      \
  template <typename Content, typename Allocator, if_content<Content> = 0>                         \
  accessor(buffer_type<Content, Allocator> &b, memory_range covered __VA_ARGS__,                   \
           const options &properties = {})                                                         \
      : accessor(b, covered, memory_id(), properties, nullptr) {}                                  \
  template <typename Content, typename Allocator, if_content<Content> = 0>                         \
  accessor(buffer_type<Content, Allocator> &b, handler &h, memory_range covered __VA_ARGS__,       \
           const options &properties = {})                                                         \
      : accessor(b, covered, memory_id(), properties, &h) {}                                       \
  template <typename Content, typename Allocator, if_content<Content> = 0>                         \
  accessor(buffer_type<Content, Allocator> &b, memory_range covered, memory_id offset __VA_ARGS__, \
           const options &properties = {})                                                         \
      : accessor(b, covered, offset, properties, nullptr) {}                                       \
  template <typename Content, typename Allocator, if_content<Content> = 0>                         \
  accessor(buffer_type<Content, Allocator> &b, handler &h, memory_range covered,                   \
           memory_id offset __VA_ARGS__, const options &properties = {})                           \
      : accessor(b, covered, offset, properties, &h) {}

#define DOVETAIL_COMMA ,
  DOVETAIL_CONSTRUCTORS()
  DOVETAIL_CONSTRUCTORS(DOVETAIL_COMMA tag)
  DOVETAIL_CONSTRUCTORS(DOVETAIL_COMMA target_tag)
#undef DOVETAIL_COMMA
#undef DOVETAIL_CONSTRUCTORS

  // Read-write accessors convert to read-only ones, whose DataT may be const or not.
  template <typename Other, access_mode OtherMode, access::placeholder OtherIsPlaceholder,
            std::enable_if_t<
                Mode == access_mode::read && std::is_same_v<std::remove_const_t<Other>, element> &&
                    (OtherMode == access_mode::read || OtherMode == access_mode::read_write) &&
                    !(std::is_same_v<Other, DataT> && OtherMode == Mode &&
                      OtherIsPlaceholder == IsPlaceholder),
                int> = 0>
  accessor(const accessor<Other, Dimensions, OtherMode, Target, OtherIsPlaceholder, list> &other)
      : memory(other.memory), first(other.first), whole_range(other.whole_range),
        covered(other.covered), offset(other.offset), bits(other.bits & detail::reads),
        placeholder(other.placeholder) {}

  using subscript::operator=;

  bool is_placeholder() const { return placeholder; }

  range<Dimensions> get_range() const noexcept { return covered; }
  id<Dimensions> get_offset() const noexcept { return offset; }

  // A pointer to the beginning of the buffer, even if the accessor covers only a part. As in DPC++,
  // that of an accessor that only reads is not to const.
  DOVETAIL_DEPRECATED("use get_multi_ptr()") global_ptr<DataT> get_pointer() const noexcept {
    return global_ptr<DataT>(const_cast<typename global_ptr<DataT>::pointer>(get_start()));
  }
  template <access::decorated Decorated> accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(get_start());
  }

  void swap(accessor &other) {
    accessor mine = *this;
    *this = other;
    other = mine;
  }

  friend bool operator==(const accessor &left, const accessor &right) {
    return left.memory == right.memory && left.first == right.first &&
           left.covered == right.covered && left.offset == right.offset;
  }
  friend bool operator!=(const accessor &left, const accessor &right) { return !(left == right); }

private:
  friend subscript;
  friend class detail::accessor_container<accessor, value_type, Dimensions>;
  friend struct detail::accessor_access;
  friend struct std::hash<accessor>;
  template <typename, int, access_mode, target, access::placeholder, typename>
  friend class accessor;

  using memory_type =
      std::conditional_t<Target == target::host_task, detail::host_task_memory<value_type>,
                         detail::buffer_memory<value_type>>;
  using pointer = typename memory_type::pointer;

  template <typename Content, typename Allocator>
  accessor(buffer_type<Content, Allocator> &b, const memory_range &covered, const memory_id &offset,
           const options &properties, handler *group)
      : memory(detail::buffer_access::state(b)->get_handle()),
        whole_range(detail::buffer_access::checked(b, covered, offset)), covered(covered),
        offset(offset) {
    first = detail::buffer_access::first_byte(b) +
            detail::linear_id(offset, whole_range) * sizeof(element);
    bool no_init = properties.no_init;
    if (no_init && Mode == access_mode::read)
      detail::fail(errc::invalid, "no_init: there is nothing to read from a buffer that has no "
                                  "content");
    bits = detail::access_bits(Mode, no_init && detail::buffer_access::covers_all(b, covered));
    placeholder = !group;
    detail::buffer_access::state(b)->note_access(bits);
    if (group)
      require(*group, detail::buffer_access::state(b));
  }

  // An accessor of no dimension covers the first element only.
  template <typename Content, typename Allocator>
  static memory_range whole(buffer_type<Content, Allocator> &b) {
    if constexpr (Dimensions == 0)
      return memory_range(1);
    else
      return b.get_range();
  }

  // The state is null if the accessor is a placeholder, which knows only the handle.
  void require(handler &h, std::shared_ptr<detail::buffer_state> state = nullptr) const {
    detail::handler_access::require(h, get_handle(), bits, std::move(state));
    if constexpr (Target == target::host_task)
      detail::handler_access::use_in_host_task(h, get_handle(), memory.get_place());
  }
  std::uint64_t get_handle() const { return memory.get_handle(); }
  detail::memory_region get_region() const {
    return detail::memory_region(first, sizeof(element), whole_range, covered);
  }

  pointer get_first() const { return memory.get(first); }
  pointer get_start() const {
    return memory.get(first - detail::linear_id(offset, whole_range) * sizeof(element));
  }
  const memory_range &get_memory_range() const { return whole_range; }
  const memory_range &get_covered_range() const { return covered; }

  memory_type memory;       // has to be the first member
  std::size_t first = 0;    // byte of the buffer where the first element lies
  memory_range whole_range; // of the buffer, whose rows the elements lie in
  memory_range covered;
  memory_id offset;
  std::uint32_t bits = 0; // of detail::access_bits
  bool placeholder = true;
};

// With the property list of the extension's first revision.
template <typename DataT, int Dimensions, access_mode Mode, target Target,
          access::placeholder IsPlaceholder, typename... Properties>
class accessor<DataT, Dimensions, Mode, Target, IsPlaceholder,
               ext::oneapi::property_list<Properties...>>
    : public accessor<DataT, Dimensions, Mode, Target, IsPlaceholder,
                      ext::oneapi::experimental::detail::properties_t<Properties...>> {
  using base = accessor<DataT, Dimensions, Mode, Target, IsPlaceholder,
                        ext::oneapi::experimental::detail::properties_t<Properties...>>;

public:
  using base::base;
  using base::operator=;
};

#define DOVETAIL_GUIDES(...)                                                                       \
  template <typename DataT, int Dimensions, typename Allocator, access_mode Mode>                  \
  accessor(buffer<DataT, Dimensions, Allocator> &__VA_ARGS__, mode_tag_t<Mode>,                    \
           const property_list & = {}) -> accessor<DataT, Dimensions, Mode>;                       \
  template <typename DataT, int Dimensions, typename Allocator, access_mode Mode, target Target>   \
  accessor(buffer<DataT, Dimensions, Allocator> &__VA_ARGS__, mode_target_tag_t<Mode, Target>,     \
           const property_list & = {}) -> accessor<DataT, Dimensions, Mode, Target>;               \
  template <typename DataT, int Dimensions, typename Allocator>                                    \
  accessor(buffer<DataT, Dimensions, Allocator> &__VA_ARGS__, const property_list & = {})          \
      -> accessor<DataT, Dimensions>;                                                              \
  template <typename DataT, int Dimensions, typename Allocator, access_mode Mode, typename List>   \
  accessor(buffer<DataT, Dimensions, Allocator> &__VA_ARGS__, mode_tag_t<Mode>,                    \
           const ext::oneapi::experimental::properties<List> &)                                    \
      -> accessor<DataT, Dimensions, Mode, target::device, access::placeholder::false_t,           \
                  detail::accessor_properties<List>>;                                              \
  template <typename DataT, int Dimensions, typename Allocator, access_mode Mode, target Target,   \
            typename List>                                                                         \
  accessor(buffer<DataT, Dimensions, Allocator> &__VA_ARGS__, mode_target_tag_t<Mode, Target>,     \
           const ext::oneapi::experimental::properties<List> &)                                    \
      -> accessor<DataT, Dimensions, Mode, Target, access::placeholder::false_t,                   \
                  detail::accessor_properties<List>>;                                              \
  template <typename DataT, int Dimensions, typename Allocator, typename List>                     \
  accessor(buffer<DataT, Dimensions, Allocator> &__VA_ARGS__,                                      \
           const ext::oneapi::experimental::properties<List> &)                                    \
      -> accessor<DataT, Dimensions, detail::default_mode<DataT>, target::device,                  \
                  access::placeholder::false_t, detail::accessor_properties<List>>;

// Ranges and offsets may be anything that converts, such as numbers and braces.
#define DOVETAIL_COMMA ,
DOVETAIL_GUIDES()
DOVETAIL_GUIDES(DOVETAIL_COMMA handler &)
DOVETAIL_GUIDES(DOVETAIL_COMMA detail::not_deduced_t<range<Dimensions>>)
DOVETAIL_GUIDES(DOVETAIL_COMMA handler &DOVETAIL_COMMA detail::not_deduced_t<range<Dimensions>>)
DOVETAIL_GUIDES(DOVETAIL_COMMA detail::not_deduced_t<range<Dimensions>> DOVETAIL_COMMA
                    detail::not_deduced_t<id<Dimensions>>)
DOVETAIL_GUIDES(DOVETAIL_COMMA handler &DOVETAIL_COMMA detail::not_deduced_t<range<Dimensions>>
                    DOVETAIL_COMMA detail::not_deduced_t<id<Dimensions>>)
#undef DOVETAIL_COMMA
#undef DOVETAIL_GUIDES

} // namespace _V1
} // namespace sycl

template <typename DataT, int Dimensions, sycl::access_mode Mode, sycl::target Target,
          sycl::access::placeholder IsPlaceholder, typename Properties>
struct std::hash<sycl::accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties>> {
  std::size_t operator()(
      const sycl::accessor<DataT, Dimensions, Mode, Target, IsPlaceholder, Properties> &a) const {
    return std::hash<std::uint64_t>()(sycl::detail::accessor_access::handle(a));
  }
};
