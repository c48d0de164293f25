// constant_values: the values of specialization constants that a program has set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/errc.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

class constant_values {
public:
  void set(const char *identifier, const void *value, std::size_t size) {
    check(identifier);
    known_number = 0;
    auto *first = static_cast<const unsigned char *>(value);
    std::vector<unsigned char> bytes(first, first + size);
    if (entry *found = find(identifier))
      found->value = std::move(bytes);
    else
      entries.push_back({identifier, std::move(bytes)});
  }

  // Returns whether the constant has been set.
  bool get(const char *identifier, void *value, std::size_t size) const {
    check(identifier);
    const entry *found = const_cast<constant_values *>(this)->find(identifier);
    if (found)
      std::memcpy(value, found->value.data(), size);
    return found;
  }

  // Adds values of constants that are not set.
  void add(const constant_values &others) {
    known_number = 0;
    for (const entry &other : others.entries)
      if (!find(other.identifier.c_str()))
        entries.push_back(other);
  }

  bool empty() const { return entries.empty(); }

  // The runtime's number of these values: equal values have the same number.
  std::uint64_t number() const {
    if (empty() || known_number)
      return known_number;
    std::vector<host::constant_value> values;
    for (const entry &each : entries)
      values.push_back({each.identifier.c_str(), each.value.data(), each.value.size()});
    host::call(&host::api_table::constant_values, values.data(), values.size(), &known_number);
    return known_number;
  }

private:
  struct entry {
    std::string identifier;
    std::vector<unsigned char> value;
  };

  static void check(const char *identifier) {
    if (!identifier)
      fail(errc::invalid, "the specialization_id is not a namespace-scope variable or static "
                          "member, or was compiled without dovetail's plugin");
  }

  entry *find(const char *identifier) {
    for (entry &each : entries)
      if (each.identifier == identifier)
        return &each;
    return nullptr;
  }

  std::vector<entry> entries;
  mutable std::uint64_t known_number = 0; // 0 if it has not been asked for
};

} // namespace detail
} // namespace _V1
} // namespace sycl
