// code_registration: a static object that registers the device code of a program or library while
// it is loaded, whether the runtime has started or not. A generated source of each contains the
// code as an array and defines the object.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/process_record.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

class code_registration {
public:
  // `owner` identifies the static objects of the program or library, as for __cxa_atexit. Without
  // a record of this version nothing is registered, and the first use of SYCL throws an exception.
  code_registration(const void *data, std::size_t size, void *owner, bool can_be_unloaded) noexcept
      : record(find_or_make_record()) {
    if (!record || record->version != api_version)
      return;
    void *content = can_be_unloaded ? copy_of(data, size) : const_cast<void *>(data);
    if (!content)
      return;
    program = new library_program{nullptr, data, content, size, 0};
    objects = new static_objects{nullptr, owner};
    push(record->libraries.newest, program);
    push(record->objects, objects);
    __atomic_fetch_add(&record->libraries.changes, 1, __ATOMIC_RELEASE);
  }

  code_registration(const code_registration &) = delete;
  code_registration &operator=(const code_registration &) = delete;

  // The runtime may be reading the lists, so their elements are not freed.
  ~code_registration() {
    if (!program)
      return;
    __atomic_store_n(&objects->owner, nullptr, __ATOMIC_RELAXED);
    __atomic_store_n(&program->unloaded, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&record->libraries.changes, 1, __ATOMIC_RELEASE);
  }

private:
  // The library may be unloaded before the runtime reads its code.
  static void *copy_of(const void *data, std::size_t size) noexcept {
    void *copy = std::malloc(size);
    return copy ? std::memcpy(copy, data, size) : nullptr;
  }

  template <typename Element> static void push(Element *&newest, Element *added) noexcept {
    added->next = __atomic_load_n(&newest, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&newest, &added->next, added, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED))
      ;
  }

  process_record *const record;
  library_program *program = nullptr;
  static_objects *objects = nullptr;
};

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl
