// property_list: any number of properties of distinct types.
#pragma once

#include <memory>
#include <sycl/detail/fail.hpp>
#include <sycl/errc.hpp>
#include <sycl/is_property.hpp>
#include <type_traits>
#include <vector>

namespace sycl {
inline namespace _V1 {

class property_list {
public:
  template <typename... Properties, std::enable_if_t<(is_property_v<Properties> && ...), int> = 0>
  property_list(Properties... properties) {
    (add(properties), ...);
  }

  template <typename Property> bool has_property() const noexcept {
    return find(&tag<Property>) != nullptr;
  }

  template <typename Property> Property get_property() const {
    const void *value = find(&tag<Property>);
    if (!value)
      detail::fail(errc::invalid, "the object does not have this property");
    return *static_cast<const Property *>(value);
  }

private:
  // The address of a tag identifies the type.
  template <typename Property> static inline char tag = 0;

  struct entry {
    const char *type;
    std::shared_ptr<const void> value;
  };

  // Only this depends on the type: separate lists and pointers would take long to compile.
  template <typename Property> void add(const Property &property) {
    insert(&tag<Property>, new Property(property),
           [](const void *value) { delete static_cast<const Property *>(value); });
  }

  void insert(const char *type, const void *value, void (*destroy)(const void *));
  const void *find(const char *type) const noexcept;

  std::vector<entry> entries;
};

} // namespace _V1
} // namespace sycl
