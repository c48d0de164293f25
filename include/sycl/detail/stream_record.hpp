// The records that a stream writes on the device, and that the host formats.
//
// A record is two words, a header and the number of the work-item, and a payload that fills whole
// words. The header has the kind in its low byte, and in the other bytes the payload's size or, for
// records without payload, a value.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace stream_record {

enum class kind : std::uint32_t {
  none, // no record: the memory was full
  text,
  signed_integer,
  unsigned_integer,
  floating, // 4 or 8 bytes
  pointer,
  last_with_payload = pointer,
  manipulator, // the value is a stream_manipulator
  precision,
  width,
};

inline constexpr std::uint32_t header_words = 2;
inline constexpr std::uint32_t max_amount = 0xffffff;

constexpr std::uint32_t header(kind what, std::uint32_t amount) {
  return static_cast<std::uint32_t>(what) | amount << 8;
}
constexpr kind kind_of(std::uint32_t header) { return static_cast<kind>(header & 0xff); }
constexpr std::uint32_t amount_of(std::uint32_t header) { return header >> 8; }

constexpr std::uint32_t payload_size(std::uint32_t header) {
  return kind_of(header) <= kind::last_with_payload ? amount_of(header) : 0;
}
constexpr std::uint32_t words_of(std::uint32_t header) {
  return header_words + (payload_size(header) + 3) / 4;
}

// The number of words for the records of a stream whose output has that many characters.
//
// A character needs at most 16 bytes, if it is a number of 8 bytes; the rest is for manipulators.
// Large streams get less for each character, since long texts need much less.
constexpr std::uint32_t capacity(std::size_t characters) {
  constexpr std::size_t most_extra = std::size_t{64} << 20;
  constexpr std::size_t most = std::size_t{0xffff0000};
  std::size_t kept = characters < most ? characters : most;
  std::size_t extra = 4096 + 31 * (kept < most_extra ? kept : most_extra);
  return static_cast<std::uint32_t>((kept + (extra < most_extra ? extra : most_extra)) / 4);
}

} // namespace stream_record
} // namespace detail
} // namespace _V1
} // namespace sycl
