// scratch_pool: memory for the partial results of reductions, which a queue uses again. Allocations
// take longer than small kernels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <sycl/aspects.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/host/api.hpp>
#include <sycl/detail/host/runtime.hpp>
#include <sycl/device.hpp>
#include <sycl/errc.hpp>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {

class scratch_pool;

struct scratch_block {
  scratch_block(void *address, std::size_t size) : address(address), size(size) {}

  void *address;
  std::size_t size;
  bool is_taken = true;
  host::handle user = 0;   // the event of the kernel that uses it; 0 if no use has to be waited for
  bool owns_event = false; // the program has released the event
};

// The use of a block by a command group, which gives it back if it is not submitted.
class scratch_lease {
public:
  scratch_lease() = default;
  scratch_lease(scratch_pool &pool, scratch_block &block) : pool(&pool), block(&block) {}
  scratch_lease(const scratch_lease &) = delete;
  scratch_lease &operator=(scratch_lease &&other) noexcept {
    std::swap(pool, other.pool);
    std::swap(block, other.block);
    return *this;
  }
  ~scratch_lease() { give_back(0); }

  void *get_address() const { return block->address; }

  // The block may be used again after the event, or at once if that is 0.
  void give_back(host::handle event) noexcept;

private:
  scratch_pool *pool = nullptr;
  scratch_block *block = nullptr;
};

class scratch_pool {
public:
  scratch_pool() = default;
  scratch_pool(const scratch_pool &) = delete;
  scratch_pool &operator=(const scratch_pool &) = delete;

  // The runtime frees the memory after the work that uses it.
  ~scratch_pool() {
    for (const auto &each : blocks) {
      host::call_quietly(&host::api_table::usm_free, each->address);
      if (each->owns_event)
        host::call_quietly(&host::api_table::event_release, each->user);
    }
  }

  // Returns memory that begins with zeros if its users leave them.
  scratch_lease take(std::size_t size, const device &runs_on) {
    scratch_block *oldest = take_oldest(size);
    if (oldest && is_idle(*oldest))
      return scratch_lease(*this, *oldest);
    if (oldest)
      scratch_lease(*this, *oldest).give_back(oldest->user);
    void *address = allocate(size, runs_on);
    std::lock_guard<std::mutex> lock(mutex);
    blocks.push_back(std::make_unique<scratch_block>(address, size));
    return scratch_lease(*this, *blocks.back());
  }

  // Returns whether the pool still needs an event that the program releases, and then owns it.
  bool keep(host::handle event) noexcept {
    std::lock_guard<std::mutex> lock(mutex);
    for (const auto &each : blocks)
      if (event != 0 && each->user == event)
        return each->owns_event = true;
    return false;
  }

private:
  friend class scratch_lease;

  static constexpr std::size_t zeros = 128;
  static constexpr std::size_t least_size = 4096;

  scratch_block *take_oldest(std::size_t size) {
    std::lock_guard<std::mutex> lock(mutex);
    for (const auto &each : blocks)
      if (!each->is_taken && each->size >= size) {
        each->is_taken = true;
        return each.get();
      }
    return nullptr;
  }

  // The lock is not held during calls into the runtime.
  bool is_idle(scratch_block &block) {
    if (block.user == 0)
      return true;
    std::uint32_t done = 0;
    host::call_quietly(&host::api_table::event_is_done, block.user, &done);
    if (!done)
      return false;
    host::handle owned = 0;
    {
      std::lock_guard<std::mutex> lock(mutex);
      owned = block.owns_event ? block.user : 0;
      block.user = 0;
      block.owns_event = false;
    }
    if (owned)
      host::call_quietly(&host::api_table::event_release, owned);
    return true;
  }

  void give_back(scratch_block &block, host::handle event) noexcept {
    std::lock_guard<std::mutex> lock(mutex);
    block.is_taken = false;
    block.user = event;
    // The oldest use comes first: it is complete if any is.
    const auto place = std::find_if(blocks.begin(), blocks.end(),
                                    [&](const auto &each) { return each.get() == &block; });
    std::rotate(place, place + 1, blocks.end());
  }

  // Shared memory, because the host writes the zeros.
  static void *allocate(std::size_t &size, const device &runs_on) {
    const bool shared = runs_on.has(aspect::usm_shared_allocations);
    if (!shared && !runs_on.has(aspect::usm_host_allocations))
      fail(errc::feature_not_supported, "reductions need a device with shared or host USM");
    size = size < least_size ? least_size : size;
    void *address = nullptr;
    host::call(&host::api_table::usm_allocate, device_access::index(runs_on),
               shared ? host::usm_shared : host::usm_host, size, zeros, &address);
    if (!address)
      fail(errc::memory_allocation, "no memory for the partial results of a reduction");
    std::memset(address, 0, zeros);
    return address;
  }

  std::mutex mutex;
  std::vector<std::unique_ptr<scratch_block>> blocks; // the least recently used first
};

inline void scratch_lease::give_back(host::handle event) noexcept {
  if (block)
    pool->give_back(*block, event);
  block = nullptr;
}

} // namespace detail
} // namespace _V1
} // namespace sycl
