// stream: output of kernels to the standard output.
//
// A kernel writes values as they are, each in a record with the number of its work-item. When the
// kernel has ended, the host formats the records. So formatting is the standard library's and costs
// no device code, the stream has no state on the device, and all copies of it are equivalent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <sycl/detail/atomic_operations.hpp>
#include <sycl/detail/deprecated.hpp>
#include <sycl/detail/fail.hpp>
#include <sycl/detail/stream_memory.hpp>
#include <sycl/detail/stream_record.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/errc.hpp>
#include <sycl/ext/oneapi/bfloat16.hpp>
#include <sycl/group.hpp>
#include <sycl/h_item.hpp>
#include <sycl/half.hpp>
#include <sycl/id.hpp>
#include <sycl/item.hpp>
#include <sycl/marray.hpp>
#include <sycl/memory_order.hpp>
#include <sycl/memory_scope.hpp>
#include <sycl/multi_ptr.hpp>
#include <sycl/nd_item.hpp>
#include <sycl/nd_range.hpp>
#include <sycl/property_list.hpp>
#include <sycl/range.hpp>
#include <sycl/stream_manipulator.hpp>
#include <sycl/vec.hpp>
#include <type_traits>
#include <utility>

namespace sycl {
inline namespace _V1 {

class handler;

namespace detail {
struct stream_access;
} // namespace detail

// Kernel objects are copied as bytes: size and layout are the same on host and device.
class stream {
public:
  stream(std::size_t total_buffer_size, std::size_t work_item_buffer_size, handler &h,
         const property_list &properties = {});

  std::size_t size() const noexcept { return total_size; }
  std::size_t get_work_item_buffer_size() const { return work_item_size; }
  DOVETAIL_DEPRECATED("use size()") std::size_t get_size() const { return size(); }
  DOVETAIL_DEPRECATED("use get_work_item_buffer_size()")
  std::size_t get_max_statement_size() const { return get_work_item_buffer_size(); }

  // No property is one of streams.
  template <typename Property> bool has_property() const noexcept { return false; }
  template <typename Property> Property get_property() const {
    detail::fail(errc::invalid, "the stream does not have this property");
  }

  friend bool operator==(const stream &left, const stream &right) {
    return left.records == right.records;
  }
  friend bool operator!=(const stream &left, const stream &right) { return !(left == right); }

private:
  friend struct detail::stream_access;
  friend struct std::hash<stream>;

  stream(std::uint64_t records, std::uint64_t end, std::size_t total_size,
         std::size_t work_item_size, std::uint32_t capacity)
      : records(records), end(end), total_size(total_size), work_item_size(work_item_size),
        capacity(capacity) {}

  // Appends a record, and returns where its payload belongs: null if there is no space for it; then
  // it and all later ones are dropped.
  detail::stream_memory::pointer append(detail::stream_record::kind what,
                                        std::uint32_t amount) const {
    namespace atomic = detail::atomic;
    namespace record = detail::stream_record;
    std::uint32_t header = record::header(what, amount);
    std::uint32_t words = record::words_of(header);
    detail::stream_memory::pointer used = end.get();
    // Only checked so that the sum does not overflow, however many records are dropped.
    if (atomic::load(used, memory_order::relaxed, memory_scope::device) >= capacity)
      return nullptr;
    std::uint32_t place =
        atomic::fetch_add(used, words, memory_order::relaxed, memory_scope::device);
    if (place >= capacity)
      return nullptr;
    detail::stream_memory::pointer memory = records.get() + place;
    if (words > capacity - place) {
      memory[0] = record::header(record::kind::none, 0);
      return nullptr;
    }
    memory[0] = header;
    memory[1] = work_item_number();
    return memory + record::header_words;
  }

  void append_number(detail::stream_record::kind what, std::uint32_t size,
                     std::uint64_t bits) const {
    detail::stream_memory::pointer payload = append(what, size);
    if (!payload)
      return;
    payload[0] = static_cast<std::uint32_t>(bits);
    if (size > 4)
      payload[1] = static_cast<std::uint32_t>(bits >> 32);
  }

  void append_text(const char *text, std::uint32_t size) const {
    detail::stream_memory::pointer payload = append(detail::stream_record::kind::text, size);
    if (!payload)
      return;
    for (std::uint32_t first = 0; first < size; first += 4) {
      std::uint32_t word = 0;
      for (std::uint32_t i = 0; i < 4 && first + i < size; ++i)
        word |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[first + i])) << 8 * i;
      payload[first / 4] = word;
    }
  }

  // Work-items whose numbers are the same, 2^32 apart, would not be distinguished.
  static std::uint32_t work_item_number() {
    namespace work_item = detail::work_item;
    std::size_t number = work_item::global_id<3>(0);
    for (int i = 1; i < 3; ++i)
      number = number * work_item::global_range<3>(i) + work_item::global_id<3>(i);
    return static_cast<std::uint32_t>(number);
  }

  detail::stream_memory records;
  detail::stream_memory end; // one word: how many words of records there are
  std::size_t total_size;
  std::size_t work_item_size;
  std::uint32_t capacity; // in words
};

namespace detail {

// The interface of the host and of the output operators to a stream.
struct stream_access {
  static stream make(std::size_t total_size, std::size_t work_item_size, handler &h);

  static void set(const stream &out, stream_record::kind what, std::uint32_t value) {
    out.append(what, value < stream_record::max_amount ? value : stream_record::max_amount);
  }

  template <typename DataT>
  static void write_number(const stream &out, stream_record::kind what, DataT value) {
    static_assert(sizeof(DataT) <= 8, "a stream does not output numbers of more than 8 bytes");
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(DataT));
    out.append_number(what, sizeof(DataT), bits);
  }

  static void write_text(const stream &out, const char *text) {
    std::uint32_t size = 0;
    while (text && size < stream_record::max_amount && text[size])
      ++size;
    if (size)
      out.append_text(text, size);
  }
};

template <typename DataT>
inline constexpr bool is_short_float =
    std::is_same_v<DataT, half> || std::is_same_v<DataT, ext::oneapi::bfloat16>;

// What a class that is neither of the standard's nor the user's is output as: the number to which
// it converts.
template <typename DataT, typename = void> struct number_from {
  using type = void;
};
template <typename DataT>
struct number_from<DataT, std::void_t<decltype(+std::declval<const DataT &>())>> {
  using type = std::decay_t<decltype(+std::declval<const DataT &>())>;
};

template <typename DataT>
inline constexpr bool is_streamed_as_number =
    !std::is_arithmetic_v<DataT> && !is_short_float<DataT> &&
    std::is_arithmetic_v<typename number_from<DataT>::type>;

template <typename DataT>
inline constexpr bool is_streamed = std::is_arithmetic_v<DataT> || is_short_float<DataT> ||
                                    std::is_pointer_v<DataT> || is_streamed_as_number<DataT>;

template <typename DataT> void write_value(const stream &out, DataT value) {
  using kind = stream_record::kind;
  if constexpr (std::is_same_v<DataT, bool>)
    stream_access::write_text(out, value ? "true" : "false");
  else if constexpr (std::is_same_v<DataT, char>)
    stream_access::write_number(out, kind::text, value);
  else if constexpr (is_short_float<DataT>)
    stream_access::write_number(out, kind::floating, static_cast<float>(value));
  else if constexpr (std::is_floating_point_v<DataT>)
    stream_access::write_number(out, kind::floating, value);
  else if constexpr (std::is_arithmetic_v<DataT>)
    stream_access::write_number(
        out, std::is_signed_v<DataT> ? kind::signed_integer : kind::unsigned_integer, value);
  else if constexpr (std::is_pointer_v<DataT> &&
                     std::is_same_v<std::remove_cv_t<std::remove_pointer_t<DataT>>, char>)
    stream_access::write_text(out, value);
  else if constexpr (std::is_pointer_v<DataT>)
    stream_access::write_number(out, kind::pointer, reinterpret_cast<std::uint64_t>(value));
  else
    write_value<typename number_from<DataT>::type>(out, +value);
}

// Elements separated by commas.
template <typename Elements>
void write_elements(const stream &out, const Elements &elements, int count) {
  for (int i = 0; i < count; ++i) {
    if (i != 0)
      stream_access::write_text(out, ", ");
    write_value(out, elements[i]);
  }
}

template <typename Coordinates>
void write_coordinates(const stream &out, const char *label, const Coordinates &coordinates) {
  stream_access::write_text(out, label);
  stream_access::write_text(out, "{");
  write_elements(out, coordinates, Coordinates::dimensions);
  stream_access::write_text(out, "}");
}

} // namespace detail

// Numbers are output as by std::ostream, with two exceptions, as in DPC++: signed and unsigned
// characters are numbers, and truth values are words.
template <typename DataT,
          std::enable_if_t<detail::is_streamed<std::decay_t<const DataT &>>, int> = 0>
const stream &operator<<(const stream &out, const DataT &value) {
  detail::write_value<std::decay_t<const DataT &>>(out, value);
  return out;
}

inline const stream &operator<<(const stream &out, stream_manipulator manipulator) {
  detail::stream_access::set(out, detail::stream_record::kind::manipulator,
                             static_cast<std::uint32_t>(manipulator));
  return out;
}

inline const stream &operator<<(const stream &out, detail::precision_manipulator precision) {
  // A negative precision is that of the standard library: the default.
  std::uint32_t digits = precision.digits < 0 ? 6 : static_cast<std::uint32_t>(precision.digits);
  detail::stream_access::set(out, detail::stream_record::kind::precision, digits);
  return out;
}

inline const stream &operator<<(const stream &out, detail::width_manipulator width) {
  std::uint32_t characters =
      width.characters < 0 ? 0 : static_cast<std::uint32_t>(width.characters);
  detail::stream_access::set(out, detail::stream_record::kind::width, characters);
  return out;
}

template <typename ElementType, access::address_space Space, access::decorated DecorateAddress>
const stream &operator<<(const stream &out,
                         const multi_ptr<ElementType, Space, DecorateAddress> &pointer) {
  const volatile void *address = pointer.get_raw();
  return out << address;
}

template <typename DataT, int NumElements>
const stream &operator<<(const stream &out, const vec<DataT, NumElements> &value) {
  detail::write_elements(out, value, NumElements);
  return out;
}

template <typename Vector, int... Indices>
const stream &operator<<(const stream &out, const detail::vec_swizzle<Vector, Indices...> &value) {
  detail::write_elements(out, value, static_cast<int>(sizeof...(Indices)));
  return out;
}

template <typename DataT, std::size_t NumElements>
const stream &operator<<(const stream &out, const marray<DataT, NumElements> &value) {
  detail::write_elements(out, value, static_cast<int>(NumElements));
  return out;
}

template <int Dimensions> const stream &operator<<(const stream &out, const id<Dimensions> &value) {
  detail::write_coordinates(out, "", value);
  return out;
}

template <int Dimensions>
const stream &operator<<(const stream &out, const range<Dimensions> &value) {
  detail::write_coordinates(out, "", value);
  return out;
}

template <int Dimensions>
const stream &operator<<(const stream &out, const nd_range<Dimensions> &value) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  id<Dimensions> offset = value.get_offset();
#pragma clang diagnostic pop
  detail::write_coordinates(out, "nd_range(global_range: ", value.get_global_range());
  detail::write_coordinates(out, ", local_range: ", value.get_local_range());
  detail::write_coordinates(out, ", offset: ", offset);
  return out << ')';
}

template <int Dimensions, bool WithOffset>
const stream &operator<<(const stream &out, const item<Dimensions, WithOffset> &value) {
  detail::write_coordinates(out, "item(range: ", value.get_range());
  detail::write_coordinates(out, ", id: ", value.get_id());
  if constexpr (WithOffset) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    detail::write_coordinates(out, ", offset: ", value.get_offset());
#pragma clang diagnostic pop
  }
  return out << ')';
}

template <int Dimensions>
const stream &operator<<(const stream &out, const nd_item<Dimensions> &value) {
  detail::write_coordinates(out, "nd_item(global_id: ", value.get_global_id());
  detail::write_coordinates(out, ", local_id: ", value.get_local_id());
  return out << ')';
}

template <int Dimensions>
const stream &operator<<(const stream &out, const h_item<Dimensions> &value) {
  return out << "h_item(\n  global " << value.get_global() << "\n  logical local "
             << value.get_logical_local() << "\n  physical local " << value.get_physical_local()
             << "\n)";
}

template <int Dimensions>
const stream &operator<<(const stream &out, const group<Dimensions> &value) {
  detail::write_coordinates(out, "group(id: ", value.get_group_id());
  detail::write_coordinates(out,
                            ", global_range: ", value.get_group_range() * value.get_local_range());
  detail::write_coordinates(out, ", local_range: ", value.get_local_range());
  detail::write_coordinates(out, ", group_range: ", value.get_group_range());
  return out << ')';
}

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::stream> {
  std::size_t operator()(const sycl::stream &out) const {
    return std::hash<std::uint64_t>()(out.records.get_handle());
  }
};
