// Finds the record of this process, or makes one.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/body.hpp>

// Not from <sys/auxv.h>, which defines hundreds of macros.
extern "C" unsigned long getauxval(unsigned long) noexcept;

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

// A number that changes when a program is started, so that child processes can tell that an
// inherited record is not theirs, and not when the process forks, whose memory has the record.
inline std::uint64_t process_key() noexcept {
  constexpr unsigned long at_random = 25; // AT_RANDOM: the address of 16 bytes from the kernel
  std::uint64_t key = 0;
  if (const auto *bytes = reinterpret_cast<const void *>(getauxval(at_random)))
    std::memcpy(&key, bytes, sizeof(key));
  return key;
}

// Null if there is none yet.
DOVETAIL_HOST_BODY process_record *find_record() noexcept {
  const char *text = std::getenv("DOVETAIL_HOST_PROCESS");
  unsigned long long key = 0;
  unsigned long long address = 0;
  if (!text || std::sscanf(text, "%llx:%llx", &key, &address) != 2 || key != process_key())
    return nullptr;
  return reinterpret_cast<process_record *>(static_cast<std::uintptr_t>(address));
}

// Null if there is no memory. A record is never freed.
DOVETAIL_HOST_BODY process_record *find_or_make_record() noexcept {
  if (process_record *found = find_record())
    return found;
  auto *made = static_cast<process_record *>(std::calloc(1, sizeof(process_record)));
  if (!made)
    return nullptr;
  made->version = api_version;
  char value[64];
  std::snprintf(value, sizeof(value), "%llx:%llx", static_cast<unsigned long long>(process_key()),
                static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(made)));
  setenv("DOVETAIL_HOST_PROCESS", value, 1);
  return made;
}

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl
