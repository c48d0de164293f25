// exception_list: the asynchronous errors that an async_handler receives.
#pragma once

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {

namespace detail {
struct exception_list_access;
}

class exception_list {
public:
  using value_type = std::exception_ptr;
  using reference = value_type &;
  using const_reference = const value_type &;
  using size_type = std::size_t;
  using iterator = std::vector<value_type>::const_iterator;
  using const_iterator = iterator;

  size_type size() const { return exceptions.size(); }
  iterator begin() const { return exceptions.begin(); }
  iterator end() const { return exceptions.end(); }

private:
  friend struct detail::exception_list_access;

  exception_list() = default;

  std::vector<value_type> exceptions;
};

namespace detail {

// The only way to create a list; users receive theirs in an async_handler.
struct exception_list_access {
  static exception_list make() { return {}; }
  static void add(exception_list &list, std::exception_ptr exception) {
    list.exceptions.push_back(std::move(exception));
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl
