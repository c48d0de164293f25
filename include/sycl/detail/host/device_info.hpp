// Queries the runtime about a device, and converts the results to the types of the standard.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

DOVETAIL_HOST_BODY std::size_t ask_size(std::uint32_t device, device_query query) {
  std::size_t size = 0;
  call(&api_table::device_info, device, static_cast<std::uint32_t>(query), nullptr, 0, &size);
  return size;
}

// Result is std::string or a std::vector.
template <typename Result> Result ask_list(std::uint32_t device, device_query query) {
  using element = typename Result::value_type;
  std::size_t size = ask_size(device, query);
  Result result(size / sizeof(element), element());
  call(&api_table::device_info, device, static_cast<std::uint32_t>(query),
       static_cast<void *>(result.data()), size, &size);
  return result;
}

DOVETAIL_HOST_BODY std::string ask_text(std::uint32_t device, device_query query) {
  return ask_list<std::string>(device, query);
}

template <typename DataT> DataT ask(std::uint32_t device, device_query query) {
  DataT value{};
  std::size_t size = 0;
  call(&api_table::device_info, device, static_cast<std::uint32_t>(query),
       static_cast<void *>(&value), sizeof(value), &size);
  return value;
}

DOVETAIL_HOST_BODY std::vector<std::string> split_words(const std::string &text,
                                                        char separator = ' ') {
  std::vector<std::string> words;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = text.find(separator, start);
    if (end == std::string::npos)
      end = text.size();
    if (end > start)
      words.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

DOVETAIL_HOST_BODY std::uint32_t device_count() {
  std::uint32_t count = 0;
  call(&api_table::device_count, &count);
  return count;
}

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl
