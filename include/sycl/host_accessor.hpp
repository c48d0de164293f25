// host_accessor: access to the content of a buffer on the host.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <sycl/access/mode.hpp>
#include <sycl/access_tags.hpp>
#include <sycl/accessor.hpp>
#include <sycl/detail/access_bits.hpp>
#include <sycl/detail/accessor_container.hpp>
#include <sycl/detail/accessor_subscript.hpp>
#include <sycl/detail/buffer_access.hpp>
#include <sycl/detail/declarations.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host_access.hpp>
#include <sycl/detail/linear_id.hpp>
#include <sycl/detail/not_deduced.hpp>
#include <sycl/errc.hpp>
#include <sycl/id.hpp>
#include <sycl/property/no_init.hpp>
#include <sycl/property_list.hpp>
#include <sycl/range.hpp>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {

// Copies share the access, which ends with the last of them.
template <typename DataT, int Dimensions, access_mode Mode>
class host_accessor
    : public detail::accessor_subscript<host_accessor<DataT, Dimensions, Mode>,
                                        detail::accessed_type<DataT, Mode>, Dimensions>,
      public detail::accessor_container<host_accessor<DataT, Dimensions, Mode>,
                                        detail::accessed_type<DataT, Mode>, Dimensions> {
  using element = std::remove_const_t<DataT>;
  using subscript =
      detail::accessor_subscript<host_accessor, detail::accessed_type<DataT, Mode>, Dimensions>;

  // As for accessor.
  static constexpr int memory_dimensions = Dimensions == 0 ? 1 : Dimensions;
  using memory_range = range<memory_dimensions>;
  using memory_id = id<memory_dimensions>;
  template <typename Content, typename Allocator>
  using buffer_type = buffer<Content, memory_dimensions, Allocator>;
  template <typename Content>
  using if_content = std::enable_if_t<std::is_same_v<std::remove_const_t<Content>, element>, int>;

  using tag = mode_tag_t<Mode>;

public:
  using value_type = detail::accessed_type<DataT, Mode>;
  using reference = value_type &;
  using const_reference = const DataT &;
  using size_type = std::size_t;

  host_accessor() = default;

#define DOVETAIL_CONSTRUCTORS(...)                                                                 \
  template <typename Content, typename Allocator, if_content<Content> = 0>                         \
  host_accessor(buffer_type<Content, Allocator> &b __VA_ARGS__,                                    \
                const property_list &properties = {})                                              \
      : host_accessor(b, whole(b), memory_id(), properties, constructor_tag()) {}                  \
  template <typename Content, typename Allocator, if_content<Content> = 0>                         \
  host_accessor(buffer_type<Content, Allocator> &b, memory_range covered __VA_ARGS__,              \
                const property_list &properties = {})                                              \
      : host_accessor(b, covered, memory_id(), properties, constructor_tag()) {}                   \
  template <typename Content, typename Allocator, if_content<Content> = 0>                         \
  host_accessor(buffer_type<Content, Allocator> &b, memory_range covered,                          \
                memory_id offset __VA_ARGS__, const property_list &properties = {})                \
      : host_accessor(b, covered, offset, properties, constructor_tag()) {}

#define DOVETAIL_COMMA ,
  DOVETAIL_CONSTRUCTORS()
  DOVETAIL_CONSTRUCTORS(DOVETAIL_COMMA tag)
#undef DOVETAIL_COMMA
#undef DOVETAIL_CONSTRUCTORS

  // Read-write accessors convert to read-only ones, whose DataT may be const or not.
  template <typename Other, access_mode OtherMode,
            std::enable_if_t<
                Mode == access_mode::read && std::is_same_v<std::remove_const_t<Other>, element> &&
                    (OtherMode == access_mode::read || OtherMode == access_mode::read_write) &&
                    !(std::is_same_v<Other, DataT> && OtherMode == Mode),
                int> = 0>
  host_accessor(const host_accessor<Other, Dimensions, OtherMode> &other)
      : access(other.access), first(other.first), start(other.start),
        whole_range(other.whole_range), covered(other.covered), offset(other.offset) {}

  using subscript::operator=;

  range<Dimensions> get_range() const noexcept { return covered; }
  id<Dimensions> get_offset() const noexcept { return offset; }

  // A pointer to the beginning of the buffer, even if the accessor covers only a part.
  value_type *get_pointer() const noexcept { return start; }

  void swap(host_accessor &other) { std::swap(*this, other); }

  friend bool operator==(const host_accessor &left, const host_accessor &right) {
    return left.access == right.access;
  }
  friend bool operator!=(const host_accessor &left, const host_accessor &right) {
    return !(left == right);
  }

private:
  friend subscript;
  friend class detail::accessor_container<host_accessor, value_type, Dimensions>;
  friend struct std::hash<host_accessor>;
  template <typename, int, access_mode> friend class host_accessor;

  // Distinguishes the delegated constructor from those that users call.
  struct constructor_tag {};

  template <typename Content, typename Allocator>
  host_accessor(buffer_type<Content, Allocator> &b, const memory_range &covered,
                const memory_id &offset, const property_list &properties, constructor_tag)
      : whole_range(detail::buffer_access::checked(b, covered, offset)), covered(covered),
        offset(offset) {
    bool no_init = properties.has_property<property::no_init>();
    if (no_init && Mode == access_mode::read)
      detail::fail(errc::invalid, "no_init: there is nothing to read without content");
    bool forget = no_init && detail::buffer_access::covers_all(b, covered);
    access = std::make_shared<detail::host_access>(detail::buffer_access::state(b),
                                                   detail::access_bits(Mode, forget));
    auto *bytes = static_cast<unsigned char *>(access->get_address());
    start = reinterpret_cast<value_type *>(bytes + detail::buffer_access::first_byte(b));
    first = start + detail::linear_id(offset, whole_range);
  }

  template <typename Content, typename Allocator>
  static memory_range whole(buffer_type<Content, Allocator> &b) {
    if constexpr (Dimensions == 0)
      return memory_range(1);
    else
      return b.get_range();
  }

  value_type *get_first() const { return first; }
  const memory_range &get_memory_range() const { return whole_range; }
  const memory_range &get_covered_range() const { return covered; }

  std::shared_ptr<detail::host_access> access;
  value_type *first = nullptr;
  value_type *start = nullptr;
  memory_range whole_range;
  memory_range covered;
  memory_id offset;
};

#define DOVETAIL_GUIDES(...)                                                                       \
  template <typename DataT, int Dimensions, typename Allocator, access_mode Mode>                  \
  host_accessor(buffer<DataT, Dimensions, Allocator> &__VA_ARGS__, mode_tag_t<Mode>,               \
                const property_list & = {}) -> host_accessor<DataT, Dimensions, Mode>;             \
  template <typename DataT, int Dimensions, typename Allocator>                                    \
  host_accessor(buffer<DataT, Dimensions, Allocator> &__VA_ARGS__, const property_list & = {})     \
      -> host_accessor<DataT, Dimensions>;

// Ranges and offsets may be anything that converts, such as numbers and braces.
#define DOVETAIL_COMMA ,
DOVETAIL_GUIDES()
DOVETAIL_GUIDES(DOVETAIL_COMMA detail::not_deduced_t<range<Dimensions>>)
DOVETAIL_GUIDES(DOVETAIL_COMMA detail::not_deduced_t<range<Dimensions>> DOVETAIL_COMMA
                    detail::not_deduced_t<id<Dimensions>>)
#undef DOVETAIL_COMMA
#undef DOVETAIL_GUIDES

} // namespace _V1
} // namespace sycl

template <typename DataT, int Dimensions, sycl::access_mode Mode>
struct std::hash<sycl::host_accessor<DataT, Dimensions, Mode>> {
  std::size_t operator()(const sycl::host_accessor<DataT, Dimensions, Mode> &a) const {
    return std::hash<std::shared_ptr<sycl::detail::host_access>>()(a.access);
  }
};
