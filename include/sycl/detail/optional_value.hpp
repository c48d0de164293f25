// optional_value: a value of any device copyable type, or none. It can be passed between work-items
// as bytes.
#pragma once

#include <cstdint>

namespace sycl {
inline namespace _V1 {
namespace detail {

template <typename DataT> class optional_value {
public:
  optional_value() = default;
  explicit optional_value(const DataT &value) : filled(1) {
    __builtin_memcpy(bytes, __builtin_addressof(value), sizeof(DataT));
  }

  explicit operator bool() const { return filled != 0; }
  const DataT &operator*() const { return *reinterpret_cast<const DataT *>(bytes); }

private:
  // Bytes, since the type may have neither a default constructor nor an assignment.
  alignas(DataT) unsigned char bytes[sizeof(DataT)];
  std::uint32_t filled = 0;
};

} // namespace detail
} // namespace _V1
} // namespace sycl
