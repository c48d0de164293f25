// annotated_ptr: a pointer with properties for the compiler. It is a separate kernel argument with
// these properties, and accesses through it are annotated with them.
//
//   annotated_ptr p(memory, properties{no_alias, alignment<64>});
#pragma once

#include <cstddef>
#include <sycl/detail/property_attributes.hpp>
#include <sycl/detail/property_lists.hpp>
#include <sycl/ext/oneapi/experimental/annotated_ptr/annotated_ptr_properties.hpp>
#include <sycl/ext/oneapi/experimental/annotated_ptr/annotated_ref.hpp>
#include <sycl/ext/oneapi/properties/properties.hpp>
#include <sycl/ext/oneapi/property_list.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

template <typename DataT, typename List = empty_properties_t> class annotated_ptr {
  static_assert(is_property_list_v<List>, "an annotated_ptr's properties are a list of properties");
};

template <typename DataT, typename... Properties>
class DOVETAIL_KERNEL_PARAMETER_PROPERTIES(Properties)
    annotated_ptr<DataT, properties<detail::properties_type_list<Properties...>>> {
  using list = properties<detail::properties_type_list<Properties...>>;

  static_assert(std::is_void_v<DataT> || std::is_trivially_copyable_v<DataT>,
                "an annotated_ptr points to what can be copied as bytes, or to void");
  static_assert((detail::is_compile_time<Properties>::value && ...),
                "properties of an annotated_ptr are known when the program is compiled");
  static_assert((detail::is_taken_by<Properties, annotated_ptr> && ...),
                "one of these properties is not for annotated_ptr");

public:
  using reference = annotated_ref<DataT, list>;

  annotated_ptr() noexcept = default;
  annotated_ptr(const annotated_ptr &) = default;
  annotated_ptr &operator=(const annotated_ptr &) = default;

  explicit annotated_ptr(DataT *address, const list & = list()) noexcept : address(address) {}

  // The type determines the properties; these must be among them.
  template <
      typename... Given,
      std::enable_if_t<(sizeof...(Given) > 0) && (is_property_value_v<Given> && ...), int> = 0>
  explicit annotated_ptr(DataT *address, const Given &...) noexcept : address(address) {
    static_assert(((detail::place_of<Given, Properties...>() < sizeof...(Properties)) && ...),
                  "the type of the annotated_ptr lacks one of these properties");
  }

  // Properties may be added, and the pointer may convert.
  template <typename Other, typename... Others>
  explicit annotated_ptr(
      const annotated_ptr<Other, properties<detail::properties_type_list<Others...>>>
          &other) noexcept
      : address(other.address) {
    static_assert(((detail::place_of<Others, Properties...>() < sizeof...(Properties)) && ...),
                  "the type of the annotated_ptr lacks one of the other's properties");
  }
  template <typename Other, typename OtherList, typename Added>
  annotated_ptr(const annotated_ptr<Other, OtherList> &other, const properties<Added> &) noexcept
      : address(other.address) {
    static_assert(std::is_same_v<list, detail::merged_properties_t<OtherList, properties<Added>>>,
                  "the properties of the annotated_ptr are those of the other and the list's");
  }

  annotated_ptr &operator=(DataT *given) noexcept {
    address = given;
    return *this;
  }

  DataT *get() const noexcept { return address; }
  DataT *operator->() const noexcept { return address; }
  reference operator*() const noexcept { return reference(address); }
  reference operator[](std::ptrdiff_t index) const noexcept {
    check_moves();
    return reference(address + index);
  }

  explicit operator bool() const noexcept { return address != nullptr; }
  operator DataT *() const noexcept = delete;

  annotated_ptr operator+(std::ptrdiff_t count) const noexcept {
    check_moves();
    return annotated_ptr(address + count);
  }
  annotated_ptr operator-(std::ptrdiff_t count) const noexcept {
    check_moves();
    return annotated_ptr(address - count);
  }
  std::ptrdiff_t operator-(annotated_ptr other) const noexcept { return address - other.address; }

  annotated_ptr &operator++() noexcept { return *this = *this + 1; }
  annotated_ptr &operator--() noexcept { return *this = *this - 1; }
  annotated_ptr operator++(int) noexcept {
    annotated_ptr before = *this;
    ++*this;
    return before;
  }
  annotated_ptr operator--(int) noexcept {
    annotated_ptr before = *this;
    --*this;
    return before;
  }

  template <typename Key> static constexpr bool has_property() {
    return list::template has_property<Key>();
  }
  template <typename Key> static constexpr auto get_property() {
    return list::template get_property<Key>();
  }

private:
  template <typename, typename> friend class annotated_ptr;

  static constexpr void check_moves() {
    static_assert(!has_property<alignment_key>(),
                  "an annotated_ptr with an alignment points to one place: the next would not be "
                  "aligned");
  }

  DOVETAIL_MEMBER_PROPERTIES(Properties) DataT *address;
};

// With the property list of the extension's first revision.
template <typename DataT, typename... Properties>
class annotated_ptr<DataT, property_list<Properties...>>
    : public annotated_ptr<DataT, detail::properties_t<Properties...>> {
  using base = annotated_ptr<DataT, detail::properties_t<Properties...>>;

public:
  using base::base;
  using base::operator=;
};

template <typename DataT, typename... Given>
annotated_ptr(DataT *, Given...) -> annotated_ptr<DataT, detail::properties_t<Given...>>;
template <typename DataT, typename List>
annotated_ptr(DataT *, properties<List>) -> annotated_ptr<DataT, properties<List>>;
template <typename DataT, typename... Properties>
annotated_ptr(DataT *, property_list<Properties...>)
    -> annotated_ptr<DataT, detail::properties_t<Properties...>>;
template <typename DataT, typename List, typename Added>
annotated_ptr(annotated_ptr<DataT, List>, properties<Added>)
    -> annotated_ptr<DataT, detail::merged_properties_t<List, properties<Added>>>;

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
