// Finds the runtime's table of functions, and is the only place that calls them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/errc.hpp>
#include <sycl/exception.hpp>
#include <type_traits>
#include <unistd.h>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

// Null unless the variable was set for this process: child processes inherit it.
DOVETAIL_HOST_BODY const api_table *find_table() noexcept {
  const char *text = std::getenv("DOVETAIL_HOST_API");
  unsigned long long process = 0;
  unsigned long long address = 0;
  if (!text || std::sscanf(text, "%llu:%llx", &process, &address) != 2)
    return nullptr;
  if (process != static_cast<unsigned long long>(getpid()))
    return nullptr;
  return reinterpret_cast<const api_table *>(static_cast<std::uintptr_t>(address));
}

DOVETAIL_HOST_BODY const api_table &checked_table() {
  const api_table *table = find_table();
  if (!table)
    throw exception(make_error_code(errc::runtime),
                    "no SYCL runtime: start the program with `dovetail run`");
  if (table->version != api_version || table->size < sizeof(api_table))
    throw exception(make_error_code(errc::runtime),
                    "the program was compiled for another version of the SYCL runtime");
  return *table;
}

// Looked up on first use, and again after a failure.
DOVETAIL_HOST_BODY const api_table &table() {
  static const api_table &found = checked_table();
  return found;
}

DOVETAIL_HOST_BODY std::string error_text() {
  char text[512];
  std::size_t length = table().error_text(text, sizeof(text));
  if (length <= sizeof(text))
    return std::string(text, length);
  std::string longer(length, '\0');
  table().error_text(longer.data(), longer.size());
  return longer;
}

// Not part of the templates below, which are instantiated for each function.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_failure(int code) {
  throw exception(make_error_code(static_cast<errc>(code)), error_text());
}

// Calls a function of the table, and throws its failure as an exception.
template <typename... Parameters>
void call(int (*api_table::*function)(Parameters...), std::common_type_t<Parameters>... arguments) {
  if (int code = (table().*function)(arguments...))
    throw_failure(code);
}

// For destructors: ignores failures.
template <typename... Parameters>
void call_quietly(int (*api_table::*function)(Parameters...),
                  std::common_type_t<Parameters>... arguments) noexcept {
  (table().*function)(arguments...);
}

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl
