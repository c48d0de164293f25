// The members of class property_list.
#pragma once

#include <memory>
#include <sycl/detail/host/body.hpp>
#include <sycl/property_list.hpp>

namespace sycl {
inline namespace _V1 {

DOVETAIL_HOST_BODY void property_list::insert(const char *type, const void *value,
                                              void (*destroy)(const void *)) {
  entries.push_back({type, std::shared_ptr<const void>(value, destroy)});
}

DOVETAIL_HOST_BODY const void *property_list::find(const char *type) const noexcept {
  for (const entry &e : entries)
    if (e.type == type)
      return e.value.get();
  return nullptr;
}

} // namespace _V1
} // namespace sycl
