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
  // `initial` is null or stays valid for as long as this lives, unless it is to be copied now.
  buffer_state(std::size_t size, const void *initial, bool copy_now);
  buffer_state(const buffer_state &) = delete;
  buffer_state &operator=(const buffer_state &) = delete;

  // Writes back, and waits for work where memory of the user's is concerned.
  ~buffer_state();

  std::uint64_t get_handle() const;
  std::size_t get_size() const; // in bytes

  // The user's memory that the content came from, and goes back to if it was written.
  void set_host_memory(void *address);
  // Keeps something alive until this is gone.
  void set_owner(std::shared_ptr<const void> owner);

  // Where the content goes in the end, in place of the above. An empty function: nowhere.
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
  bool waits_at_end; // for memory of the user's
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
