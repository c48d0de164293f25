// buffer: data that host and devices use in turn.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <sycl/access/mode.hpp>
#include <sycl/access/target.hpp>
#include <sycl/accessor.hpp>
#include <sycl/detail/buffer_access.hpp>
#include <sycl/detail/buffer_state.hpp>
#include <sycl/detail/declarations.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/legacy_accessors.hpp>
#include <sycl/detail/linear_id.hpp>
#include <sycl/errc.hpp>
#include <sycl/handler.hpp>
#include <sycl/host_accessor.hpp>
#include <sycl/id.hpp>
#include <sycl/property/buffer.hpp>
#include <sycl/property_list.hpp>
#include <sycl/range.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

// Contiguous containers have these. A buffer is not a container.
template <typename Container>
using contiguous_element = std::remove_pointer_t<decltype(std::declval<Container &>().data() +
                                                          std::declval<Container &>().size())>;

template <typename Iterator>
using if_iterator = std::enable_if_t<
    std::is_convertible_v<typename std::iterator_traits<Iterator>::iterator_category,
                          std::input_iterator_tag>,
    int>;

// Wraps elements in a std::vector, which would pack bool.
template <typename DataT> struct vector_element {
  DataT value;
};

} // namespace detail

// Copies share the content, sub-buffers and reinterpretations too.
template <typename DataT, int Dimensions, typename Allocator> class buffer {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "SYCL has one to three dimensions");
  static_assert(!std::is_reference_v<DataT>, "there are no buffers of references");

public:
  using value_type = DataT;
  using reference = value_type &;
  using const_reference = const value_type &;
  using allocator_type = Allocator;

  // Without content.
  buffer(const range<Dimensions> &size, const property_list &properties = {})
      : buffer(size, Allocator(), properties) {}
  buffer(const range<Dimensions> &size, Allocator allocator, const property_list &properties = {})
      : buffer(size, nullptr, detail::buffer_source::borrowed, allocator, properties) {}

  // The buffer owns the host memory during its lifetime, and writes its content back at the end.
  buffer(DataT *data, const range<Dimensions> &size, const property_list &properties = {})
      : buffer(data, size, Allocator(), properties) {}
  buffer(DataT *data, const range<Dimensions> &size, Allocator allocator,
         const property_list &properties = {})
      : buffer(size, data, detail::buffer_source::in_place, allocator, properties) {
    if constexpr (!std::is_const_v<DataT>)
      state->set_host_memory(data);
  }

  // Nothing is written back to memory that is constant. A template, so that for a buffer of
  // constants it does not collide with the above.
  template <
      typename Constant,
      std::enable_if_t<!std::is_const_v<DataT> && std::is_same_v<Constant, const DataT>, int> = 0>
  buffer(Constant *data, const range<Dimensions> &size, const property_list &properties = {})
      : buffer(data, size, Allocator(), properties) {}
  template <
      typename Constant,
      std::enable_if_t<!std::is_const_v<DataT> && std::is_same_v<Constant, const DataT>, int> = 0>
  buffer(Constant *data, const range<Dimensions> &size, Allocator allocator,
         const property_list &properties = {})
      : buffer(size, data, detail::buffer_source::borrowed, allocator, properties) {}

  // A container: as with a pointer to its data.
  template <typename Container, int Dims = Dimensions,
            std::enable_if_t<Dims == 1 &&
                                 std::is_convertible_v<detail::contiguous_element<Container> (*)[],
                                                       const DataT (*)[]>,
                             int> = 0>
  buffer(Container &container, Allocator allocator, const property_list &properties = {})
      : buffer(container.data(), range<1>(container.size()), allocator, properties) {}
  template <typename Container, int Dims = Dimensions,
            std::enable_if_t<Dims == 1 &&
                                 std::is_convertible_v<detail::contiguous_element<Container> (*)[],
                                                       const DataT (*)[]>,
                             int> = 0>
  buffer(Container &container, const property_list &properties = {})
      : buffer(container.data(), range<1>(container.size()), properties) {}

  // Shares the ownership, and writes back.
  buffer(const std::shared_ptr<DataT> &data, const range<Dimensions> &size, Allocator allocator,
         const property_list &properties = {})
      : buffer(data.get(), size, allocator, properties) {
    state->set_owner(data);
  }
  buffer(const std::shared_ptr<DataT> &data, const range<Dimensions> &size,
         const property_list &properties = {})
      : buffer(data, size, Allocator(), properties) {}
  buffer(const std::shared_ptr<DataT[]> &data, const range<Dimensions> &size, Allocator allocator,
         const property_list &properties = {})
      : buffer(data.get(), size, allocator, properties) {
    state->set_owner(data);
  }
  buffer(const std::shared_ptr<DataT[]> &data, const range<Dimensions> &size,
         const property_list &properties = {})
      : buffer(data, size, Allocator(), properties) {}

  // The content is copied now, and not written back.
  template <typename Iterator, int Dims = Dimensions, std::enable_if_t<Dims == 1, int> = 0,
            detail::if_iterator<Iterator> = 0>
  buffer(Iterator begin, Iterator end, Allocator allocator, const property_list &properties = {})
      : buffer(copy_of(begin, end), allocator, properties) {}
  template <typename Iterator, int Dims = Dimensions, std::enable_if_t<Dims == 1, int> = 0,
            detail::if_iterator<Iterator> = 0>
  buffer(Iterator begin, Iterator end, const property_list &properties = {})
      : buffer(begin, end, Allocator(), properties) {}

  // A part of another buffer.
  buffer(buffer &parent, const id<Dimensions> &start, const range<Dimensions> &part)
      : state(parent.state), size_of_each(part), properties(parent.properties),
        allocator(parent.allocator), sub_buffer(true) {
    if (parent.sub_buffer)
      detail::fail(errc::invalid, "a sub-buffer has no sub-buffers");
    detail::buffer_access::checked(parent, part, start);
    if (!is_contiguous(part, parent.size_of_each))
      detail::fail(errc::invalid, "the elements of a sub-buffer must lie side by side");
    first_byte = detail::linear_id(start, parent.size_of_each) * sizeof(DataT);
  }

  range<Dimensions> get_range() const { return size_of_each; }
  std::size_t size() const noexcept { return size_of_each.size(); }
  std::size_t byte_size() const noexcept { return size() * sizeof(DataT); }
  DOVETAIL_DEPRECATED("use size()") std::size_t get_count() const { return size(); }
  DOVETAIL_DEPRECATED("use byte_size()") std::size_t get_size() const { return byte_size(); }
  Allocator get_allocator() const { return allocator; }
  bool is_sub_buffer() const { return sub_buffer; }

  template <access_mode Mode = access_mode::read_write, target Target = target::device>
  accessor<DataT, Dimensions, Mode, Target> get_access(handler &h) {
    return accessor<DataT, Dimensions, Mode, Target>(*this, h);
  }
  template <access_mode Mode, target Target = target::device>
  accessor<DataT, Dimensions, Mode, Target> get_access(handler &h, range<Dimensions> covered,
                                                       id<Dimensions> offset = {}) {
    return accessor<DataT, Dimensions, Mode, Target>(*this, h, covered, offset);
  }
  template <access_mode Mode> DOVETAIL_DEPRECATED("use get_host_access") auto get_access() {
    return accessor<DataT, Dimensions, Mode, detail::host_target>(*this);
  }
  template <access_mode Mode>
  DOVETAIL_DEPRECATED("use get_host_access")
  auto get_access(range<Dimensions> covered, id<Dimensions> offset = {}) {
    return accessor<DataT, Dimensions, Mode, detail::host_target>(*this, covered, offset);
  }

  // As the constructors of accessor and host_accessor.
  template <typename... Arguments> auto get_access(Arguments &&...arguments) {
    return accessor(*this, std::forward<Arguments>(arguments)...);
  }
  template <typename... Arguments> auto get_host_access(Arguments &&...arguments) {
    return host_accessor(*this, std::forward<Arguments>(arguments)...);
  }

  // Where the content is written back: an iterator, a std::weak_ptr, or nowhere. A std::shared_ptr
  // is taken as a weak one.
  template <typename Destination = std::nullptr_t>
  void set_final_data(Destination destination = nullptr) {
    if constexpr (std::is_null_pointer_v<Destination>)
      state->set_final({});
    else if constexpr (is_shared_pointer<Destination>)
      set_final_data(std::weak_ptr<typename Destination::element_type>(destination));
    else if constexpr (is_weak_pointer<Destination>)
      state->set_final([destination](detail::buffer_state &s) {
        if (auto owner = destination.lock())
          write_to(s, owner.get());
      });
    else
      state->set_final([destination](detail::buffer_state &s) {
        if constexpr (std::is_pointer_v<Destination>)
          if (!destination)
            return;
        write_to(s, destination);
      });
  }

  void set_write_back(bool enabled = true) { state->set_write_back(enabled); }

  // The same bytes as elements of another type.
  template <typename Other, int OtherDimensions,
            typename OtherAllocator =
                typename std::allocator_traits<Allocator>::template rebind_alloc<Other>>
  buffer<Other, OtherDimensions, OtherAllocator>
  reinterpret(range<OtherDimensions> other_range) const {
    if (other_range.size() * sizeof(Other) != byte_size())
      detail::fail(errc::invalid, "reinterpret: the number of bytes must stay the same");
    return buffer<Other, OtherDimensions, OtherAllocator>(*this, other_range);
  }

  template <typename Other, int OtherDimensions = Dimensions,
            std::enable_if_t<OtherDimensions == 1 ||
                                 (OtherDimensions == Dimensions && sizeof(Other) == sizeof(DataT)),
                             int> = 0>
  auto reinterpret() const {
    if constexpr (OtherDimensions == 1)
      return reinterpret<Other, 1>(range<1>(byte_size() / sizeof(Other)));
    else
      return reinterpret<Other, OtherDimensions>(size_of_each);
  }

  template <typename Property> bool has_property() const noexcept {
    return properties.template has_property<Property>();
  }
  template <typename Property> Property get_property() const {
    return properties.template get_property<Property>();
  }

  friend bool operator==(const buffer &left, const buffer &right) {
    return left.state == right.state && left.size_of_each == right.size_of_each &&
           left.first_byte == right.first_byte;
  }
  friend bool operator!=(const buffer &left, const buffer &right) { return !(left == right); }

private:
  friend struct detail::buffer_access;
  friend struct std::hash<buffer>;
  template <typename, int, typename> friend class buffer;

  using element = std::remove_const_t<DataT>;
  using elements = std::vector<detail::vector_element<element>>;

  template <typename> static constexpr bool is_weak_pointer = false;
  template <typename OtherT> static constexpr bool is_weak_pointer<std::weak_ptr<OtherT>> = true;
  template <typename> static constexpr bool is_shared_pointer = false;
  template <typename OtherT>
  static constexpr bool is_shared_pointer<std::shared_ptr<OtherT>> = true;

  // The public constructors delegate to these, whose parameters are in another order.
  buffer(const range<Dimensions> &size, const DataT *initial, detail::buffer_source source,
         Allocator allocator, const property_list &properties)
      : state(detail::make_buffer_state(size.size() * sizeof(DataT), initial, source, properties)),
        size_of_each(size), properties(properties), allocator(allocator) {}

  buffer(const elements &content, Allocator allocator, const property_list &properties)
      : buffer(range<1>(content.size()), reinterpret_cast<const DataT *>(content.data()),
               detail::buffer_source::copied, allocator, properties) {}

  template <typename Other, int OtherDimensions, typename OtherAllocator>
  buffer(const buffer<Other, OtherDimensions, OtherAllocator> &other, range<Dimensions> size)
      : state(other.state), size_of_each(size), first_byte(other.first_byte),
        properties(other.properties), sub_buffer(other.sub_buffer) {}

  template <typename Iterator> static elements copy_of(Iterator begin, Iterator end) {
    elements content;
    for (; begin != end; ++begin)
      content.push_back({static_cast<element>(*begin)});
    return content;
  }

  template <typename Destination>
  static void write_to(detail::buffer_state &s, Destination destination) {
    // A pointer to something else, such as a std::array, is where the bytes go.
    if constexpr (std::is_same_v<Destination, element *> ||
                  (std::is_pointer_v<Destination> &&
                   !std::is_assignable_v<decltype(*destination), element &>)) {
      s.read(destination);
    } else {
      elements content(s.get_size() / sizeof(DataT));
      s.read(content.data());
      for (const auto &e : content)
        *destination++ = e.value;
    }
  }

  // All dimensions are whole, except those up to the first with more than one element.
  static bool is_contiguous(const range<Dimensions> &part, const range<Dimensions> &whole) {
    int outer = 0;
    while (outer < Dimensions && part[outer] == 1)
      ++outer;
    for (int i = outer + 1; i < Dimensions; ++i)
      if (part[i] != whole[i])
        return false;
    return true;
  }

  std::shared_ptr<detail::buffer_state> state;
  range<Dimensions> size_of_each;
  std::size_t first_byte = 0;
  property_list properties;
  Allocator allocator;
  bool sub_buffer = false;
};

template <typename Iterator, typename Allocator, detail::if_iterator<Iterator> = 0>
buffer(Iterator, Iterator, Allocator, const property_list & = {})
    -> buffer<typename std::iterator_traits<Iterator>::value_type, 1, Allocator>;
template <typename Iterator, detail::if_iterator<Iterator> = 0>
buffer(Iterator, Iterator, const property_list & = {})
    -> buffer<typename std::iterator_traits<Iterator>::value_type, 1>;

template <typename DataT, int Dimensions, typename Allocator>
buffer(const DataT *, const range<Dimensions> &, Allocator, const property_list & = {})
    -> buffer<DataT, Dimensions, Allocator>;
template <typename DataT, int Dimensions>
buffer(const DataT *, const range<Dimensions> &, const property_list & = {})
    -> buffer<DataT, Dimensions>;

template <typename Container, typename Allocator>
buffer(Container &, Allocator, const property_list & = {})
    -> buffer<std::remove_const_t<detail::contiguous_element<Container>>, 1, Allocator>;
template <typename Container>
buffer(Container &, const property_list & = {})
    -> buffer<std::remove_const_t<detail::contiguous_element<Container>>, 1>;

} // namespace _V1
} // namespace sycl

template <typename DataT, int Dimensions, typename Allocator>
struct std::hash<sycl::buffer<DataT, Dimensions, Allocator>> {
  std::size_t operator()(const sycl::buffer<DataT, Dimensions, Allocator> &b) const {
    return std::hash<std::shared_ptr<sycl::detail::buffer_state>>()(b.state);
  }
};
