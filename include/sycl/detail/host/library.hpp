// library_registration: a static object that registers the device code of a shared library with the
// runtime while the library is loaded. A generated source of each library contains the code as an
// array and defines the object.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/runtime.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

class library_registration {
public:
  // Without a runtime of this version, the library is not registered, and its first use of SYCL
  // throws an exception.
  library_registration(const void *data, std::size_t size) noexcept : list(find_list()) {
    void *copy = list ? std::malloc(size) : nullptr;
    if (!copy)
      return;
    program = new library_program{};
    std::memcpy(copy, data, size);
    *program = {nullptr, data, copy, size, 0};
    program->next = __atomic_load_n(&list->newest, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&list->newest, &program->next, program, true,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      ;
    __atomic_fetch_add(&list->changes, 1, __ATOMIC_RELEASE);
  }

  library_registration(const library_registration &) = delete;
  library_registration &operator=(const library_registration &) = delete;

  // The runtime may be reading the list, so this element is not freed.
  ~library_registration() {
    if (!program)
      return;
    __atomic_store_n(&program->unloaded, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&list->changes, 1, __ATOMIC_RELEASE);
  }

private:
  static library_list *find_list() noexcept {
    const api_table *table = find_table();
    bool usable = table && table->version == api_version && table->size >= sizeof(api_table);
    return usable ? table->libraries : nullptr;
  }

  library_list *const list;
  library_program *program = nullptr;
};

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl
