// property_list: any number of properties, each of another type.
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
  // The address of a tag stands for the type.
  template <typename Property> static inline char tag = 0;

  struct entry {
    const char *type;
    std::shared_ptr<const void> value;
  };

  template <typename Property> void add(const Property &property) {
    entries.push_back({&tag<Property>, std::make_shared<const Property>(property)});
  }

  const void *find(const char *type) const noexcept {
    for (const entry &e : entries)
      if (e.type == type)
        return e.value.get();
    return nullptr;
  }

  std::vector<entry> entries;
};

} // namespace _V1
} // namespace sycl
