// Finds the runtime's table of functions, and is the only place that calls them.
#pragma once

#include <cstddef>
#include <string>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/host/process_record.hpp>
#include <sycl/detail/host/start.hpp>
#include <sycl/errc.hpp>
#include <sycl/exception.hpp>
#include <type_traits>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

// The first use of SYCL starts the runtime, if this program or library has the native part for it.
DOVETAIL_HOST_BODY const api_table &checked_table() {
  char problem[8192] = "start the program with `dovetail run`";
  process_record *record = find_or_make_record();
  bool fits = record && record->version == api_version;
  if (fits && !__atomic_load_n(&record->table, __ATOMIC_ACQUIRE) && dovetail_start_runtime)
    dovetail_start_runtime(record, problem, sizeof(problem));
  const api_table *table = fits ? __atomic_load_n(&record->table, __ATOMIC_ACQUIRE) : nullptr;
  if (fits && !table)
    throw exception(make_error_code(errc::runtime), std::string("no SYCL runtime: ") + problem);
  if (!table || table->version != api_version || table->size < sizeof(api_table))
    throw exception(make_error_code(errc::runtime),
                    "the program was compiled for another version of the SYCL runtime");
  return *table;
}

// Looked up on first use, and again after a failure. It is not a static reference, whose
// initialization would hold a lock while it waits for Python's: another thread may hold that one
// and call this function.
DOVETAIL_HOST_BODY const api_table &table() {
  static const api_table *found = nullptr;
  const api_table *table = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
  if (!table) {
    table = &checked_table();
    __atomic_store_n(&found, table, __ATOMIC_RELEASE);
  }
  return *table;
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
