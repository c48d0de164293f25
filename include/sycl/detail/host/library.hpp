// library_program: a static object that makes the device code of a shared library known to the
// runtime, as long as the library is loaded. One source of each library, which dovetail writes,
// has the code as an array and defines the object.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/runtime.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

class library_program {
public:
  // Without a runtime, or with one of another version, there is nobody to tell; whoever uses SYCL
  // then gets an exception that says so.
  library_program(const void *data, std::size_t size) : table(find_usable_table()) {
    if (table && table->program_load(data, size, &program))
      warn();
  }

  library_program(const library_program &) = delete;
  library_program &operator=(const library_program &) = delete;

  ~library_program() {
    if (program)
      table->program_unload(program);
  }

private:
  static const api_table *find_usable_table() {
    const api_table *found = find_table();
    bool usable = found && found->version == api_version && found->size >= sizeof(api_table);
    return usable ? found : nullptr;
  }

  // An exception from here would end the process, which may never need the library's kernels.
  void warn() const {
    std::string text(table->error_text(nullptr, 0), '\0');
    table->error_text(text.data(), text.size());
    std::fprintf(stderr, "SYCL: %s\n", text.c_str());
  }

  const api_table *const table;
  handle program = 0;
};

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl
