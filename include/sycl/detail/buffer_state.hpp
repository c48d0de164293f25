// buffer_state: what the copies of a buffer, its sub-buffers and reinterpretations share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace sycl {
inline namespace _V1 {
namespace detail {

class buffer_state {
public:
  // `initial` is null, or valid during the lifetime of this object, unless `copy_now` is true.
  buffer_state(std::size_t size, const void *initial, bool copy_now);
  buffer_state(const buffer_state &) = delete;
  buffer_state &operator=(const buffer_state &) = delete;

  // Writes back, and waits for work that uses memory of the user.
  ~buffer_state();

  std::uint64_t get_handle() const;
  std::size_t get_size() const; // in bytes

  // The user's memory with the initial content, to which it is written back if it was modified.
  void set_host_memory(void *address);
  // Keeps an object alive during the lifetime of this one.
  void set_owner(std::shared_ptr<const void> owner);

  // Replaces the destination of the content. An empty function disables writing back.
  void set_final(std::function<void(buffer_state &)> write);
  void set_write_back(bool enabled);

  // An accessor was made; the bits are those of access_bits.
  void note_access(std::uint32_t bits);

  // Waits for work that writes, and copies the whole content.
  void read(void *to);

private:
  void write_back();

  std::uint64_t handle = 0;
  std::size_t size;
  bool waits_at_end; // for memory of the user
  bool write_back_enabled = true;
  std::atomic<bool> written = false; // by threads that make accessors
  bool has_final = false;
  void *host_memory = nullptr;
  std::shared_ptr<const void> owner;
  std::function<void(buffer_state &)> final_write;
};

std::shared_ptr<buffer_state> make_buffer_state(std::size_t size, const void *initial,
                                                bool copy_now);

} // namespace detail
} // namespace _V1
} // namespace sycl
