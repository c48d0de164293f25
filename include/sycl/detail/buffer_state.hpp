// buffer_state: what the copies of a buffer, its sub-buffers and reinterpretations share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <sycl/property_list.hpp>

namespace sycl {
inline namespace _V1 {
namespace detail {

// What a buffer does with the user's memory that has its initial content.
enum class buffer_source : std::uint32_t {
  borrowed = 0, // reads it during its lifetime
  copied = 1,   // copies it at once
  in_place = 2, // has its content there, property use_host_ptr
};

class buffer_state {
public:
  // `initial` is null, or valid during the lifetime of this object, unless it is copied. With a
  // mutex, the user's memory is only used while it is locked.
  buffer_state(std::size_t size, const void *initial, buffer_source source, std::mutex *guard);
  buffer_state(const buffer_state &) = delete;
  buffer_state &operator=(const buffer_state &) = delete;

  // Writes back, and waits for work that uses memory of the user.
  ~buffer_state();

  std::uint64_t get_handle() const;
  std::size_t get_size() const; // in bytes
  std::mutex *get_guard() const;

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
  // Locks the mutex of property use_mutex, if there is one.
  std::unique_lock<std::mutex> lock_guard() const;

  std::uint64_t handle = 0;
  std::size_t size;
  bool waits_at_end; // for memory of the user
  std::mutex *guard; // null if there is none
  bool write_back_enabled = true;
  std::atomic<bool> written = false; // by threads that make accessors
  bool has_final = false;
  void *host_memory = nullptr;
  std::shared_ptr<const void> owner;
  std::function<void(buffer_state &)> final_write;
};

// Where the source is `in_place`, the properties decide.
std::shared_ptr<buffer_state> make_buffer_state(std::size_t size, const void *initial,
                                                buffer_source source,
                                                const property_list &properties);

} // namespace detail
} // namespace _V1
} // namespace sycl
