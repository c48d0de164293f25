// span: a view of contiguous objects, as std::span in C++20.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <typename ElementType, std::size_t Extent = dynamic_extent> class span;

namespace detail {

template <typename DataT> inline constexpr bool is_span_or_array = std::is_array_v<DataT>;
template <typename DataT, std::size_t Extent>
inline constexpr bool is_span_or_array<span<DataT, Extent>> = true;
template <typename DataT, std::size_t Size>
inline constexpr bool is_span_or_array<std::array<DataT, Size>> = true;

template <typename From, typename To>
inline constexpr bool is_qualification = std::is_convertible_v<From (*)[], To (*)[]>;

// Containers with data() and size().
template <typename Container>
using element_of_container =
    std::remove_pointer_t<decltype(std::data(std::declval<Container &>()))>;
template <typename Container, typename DataT, typename = void>
inline constexpr bool is_viewed_container = false;
template <typename Container, typename DataT>
inline constexpr bool
    is_viewed_container<Container, DataT,
                        std::void_t<decltype(std::size(std::declval<Container &>())),
                                    element_of_container<Container>>> =
        !is_span_or_array<std::remove_cv_t<Container>> &&
        is_qualification<element_of_container<Container>, DataT>;

} // namespace detail

template <typename ElementType, std::size_t Extent> class span {
  static constexpr bool is_dynamic = Extent == dynamic_extent;

  template <std::size_t Size> static constexpr bool fits = is_dynamic || Size == Extent;

  template <std::size_t Offset, std::size_t Count>
  static constexpr std::size_t extent_of_part = Count != dynamic_extent ? Count
                                                : is_dynamic            ? dynamic_extent
                                                                        : Extent - Offset;

public:
  using element_type = ElementType;
  using value_type = std::remove_cv_t<ElementType>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = ElementType *;
  using const_pointer = const ElementType *;
  using reference = ElementType &;
  using const_reference = const ElementType &;
  using iterator = pointer;
  using reverse_iterator = std::reverse_iterator<iterator>;

  static constexpr size_type extent = Extent;

  template <std::size_t Size = Extent,
            std::enable_if_t<Size == dynamic_extent || Size == 0, int> = 0>
  constexpr span() noexcept {}

  // Explicit conversions are those of a run-time size to a fixed one.
  template <bool Dynamic = is_dynamic, std::enable_if_t<Dynamic, int> = 0>
  constexpr span(pointer first, size_type count) : first_element(first), count(count) {}
  template <bool Dynamic = is_dynamic, std::enable_if_t<!Dynamic, int> = 0>
  constexpr explicit span(pointer first, size_type) : first_element(first) {}
  template <bool Dynamic = is_dynamic, std::enable_if_t<Dynamic, int> = 0>
  constexpr span(pointer first, pointer last)
      : first_element(first), count(static_cast<size_type>(last - first)) {}
  template <bool Dynamic = is_dynamic, std::enable_if_t<!Dynamic, int> = 0>
  constexpr explicit span(pointer first, pointer) : first_element(first) {}

  template <std::size_t Size, std::enable_if_t<fits<Size>, int> = 0>
  constexpr span(element_type (&array)[Size]) noexcept : span(array, Size, whole()) {}
  template <typename Other, std::size_t Size,
            std::enable_if_t<fits<Size> && detail::is_qualification<Other, ElementType>, int> = 0>
  constexpr span(std::array<Other, Size> &array) noexcept : span(array.data(), Size, whole()) {}
  template <
      typename Other, std::size_t Size,
      std::enable_if_t<fits<Size> && detail::is_qualification<const Other, ElementType>, int> = 0>
  constexpr span(const std::array<Other, Size> &array) noexcept
      : span(array.data(), Size, whole()) {}

  template <
      typename Container, bool Dynamic = is_dynamic,
      std::enable_if_t<Dynamic && detail::is_viewed_container<Container, ElementType>, int> = 0>
  constexpr span(Container &container)
      : span(std::data(container), std::size(container), whole()) {}
  template <
      typename Container, bool Dynamic = is_dynamic,
      std::enable_if_t<!Dynamic && detail::is_viewed_container<Container, ElementType>, int> = 0>
  constexpr explicit span(Container &container)
      : span(std::data(container), std::size(container), whole()) {}
  template <typename Container, bool Dynamic = is_dynamic,
            std::enable_if_t<Dynamic && detail::is_viewed_container<const Container, ElementType>,
                             int> = 0>
  constexpr span(const Container &container)
      : span(std::data(container), std::size(container), whole()) {}

  template <
      typename Other, std::size_t Size,
      std::enable_if_t<
          (is_dynamic || Size == Extent) && detail::is_qualification<Other, ElementType>, int> = 0>
  constexpr span(const span<Other, Size> &other) noexcept
      : span(other.data(), other.size(), whole()) {}
  template <typename Other, std::size_t Size,
            std::enable_if_t<!is_dynamic && Size == dynamic_extent &&
                                 detail::is_qualification<Other, ElementType>,
                             int> = 0>
  constexpr explicit span(const span<Other, Size> &other) noexcept
      : span(other.data(), other.size(), whole()) {}

  template <std::size_t Count> constexpr span<ElementType, Count> first() const {
    return span<ElementType, Count>(data(), Count);
  }
  template <std::size_t Count> constexpr span<ElementType, Count> last() const {
    return span<ElementType, Count>(data() + (size() - Count), Count);
  }
  template <std::size_t Offset, std::size_t Count = dynamic_extent>
  constexpr span<ElementType, extent_of_part<Offset, Count>> subspan() const {
    return span<ElementType, extent_of_part<Offset, Count>>(
        data() + Offset, Count == dynamic_extent ? size() - Offset : Count);
  }
  constexpr span<ElementType> first(size_type number) const { return {data(), number}; }
  constexpr span<ElementType> last(size_type number) const {
    return {data() + (size() - number), number};
  }
  constexpr span<ElementType> subspan(size_type offset, size_type number = dynamic_extent) const {
    return {data() + offset, number == dynamic_extent ? size() - offset : number};
  }

  constexpr size_type size() const noexcept { return is_dynamic ? count : Extent; }
  constexpr size_type size_bytes() const noexcept { return size() * sizeof(ElementType); }
  [[nodiscard]] constexpr bool empty() const noexcept { return size() == 0; }

  constexpr reference operator[](size_type index) const { return first_element[index]; }
  constexpr reference front() const { return first_element[0]; }
  constexpr reference back() const { return first_element[size() - 1]; }
  constexpr pointer data() const noexcept { return first_element; }

  constexpr iterator begin() const noexcept { return first_element; }
  constexpr iterator end() const noexcept { return first_element + size(); }
  constexpr reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }

private:
  struct whole {};
  constexpr span(pointer first, size_type count, whole) : first_element(first), count(count) {}

  pointer first_element = nullptr;
  size_type count = is_dynamic ? 0 : Extent;
};

template <typename DataT, std::size_t Size> span(DataT (&)[Size]) -> span<DataT, Size>;
template <typename DataT, std::size_t Size> span(std::array<DataT, Size> &) -> span<DataT, Size>;
template <typename DataT, std::size_t Size>
span(const std::array<DataT, Size> &) -> span<const DataT, Size>;
template <typename DataT> span(DataT *, std::size_t) -> span<DataT>;
template <typename Container> span(Container &) -> span<detail::element_of_container<Container>>;

template <typename ElementType, std::size_t Extent>
auto as_bytes(span<ElementType, Extent> of) noexcept {
  constexpr std::size_t size =
      Extent == dynamic_extent ? dynamic_extent : Extent * sizeof(ElementType);
  return span<const std::byte, size>(reinterpret_cast<const std::byte *>(of.data()),
                                     of.size_bytes());
}
template <typename ElementType, std::size_t Extent,
          std::enable_if_t<!std::is_const_v<ElementType>, int> = 0>
auto as_writable_bytes(span<ElementType, Extent> of) noexcept {
  constexpr std::size_t size =
      Extent == dynamic_extent ? dynamic_extent : Extent * sizeof(ElementType);
  return span<std::byte, size>(reinterpret_cast<std::byte *>(of.data()), of.size_bytes());
}

} // namespace _V1
} // namespace sycl
