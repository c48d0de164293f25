// stream_text: formats the records of a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ios>
#include <locale>
#include <sstream>
#include <string>
#include <sycl/detail/host/body.hpp>
#include <sycl/detail/stream_record.hpp>
#include <sycl/stream_manipulator.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sycl {
inline namespace _V1 {
namespace detail {
namespace host {

class stream_text {
public:
  // The output of the records: of each work-item as a unit what lies between two of its flushes, in
  // the order of the flushes, and then what no flush follows.
  static std::string format(const std::uint32_t *records, std::size_t words);

private:
  struct work_item {
    std::ios_base::fmtflags flags = std::ios_base::dec | std::ios_base::skipws;
    std::streamsize precision = 6;
    std::streamsize width = 0;
    std::string unflushed;
  };

  stream_text() { formatter.imbue(std::locale::classic()); }

  void add(std::uint32_t header, std::uint32_t number, const unsigned char *payload);
  void set(work_item &source, stream_manipulator manipulator);
  void add_number(work_item &source, std::uint32_t header, const unsigned char *payload);
  void add_integer(work_item &source, std::uint32_t header, const unsigned char *payload);
  template <typename DataT> void add_value(work_item &source, const DataT &value);

  template <typename DataT> static DataT read(const unsigned char *payload) {
    DataT value;
    std::memcpy(&value, payload, sizeof(DataT));
    return value;
  }

  std::ostringstream formatter;
  std::unordered_map<std::uint32_t, std::size_t> places; // in work_items
  std::vector<work_item> work_items;                     // in the order of their first records
  std::string text;
};

DOVETAIL_HOST_BODY std::string stream_text::format(const std::uint32_t *records,
                                                   std::size_t words) {
  namespace record = stream_record;
  stream_text all;
  for (std::size_t place = 0; words - place >= record::header_words;) {
    const std::uint32_t *found = records + place;
    if (record::kind_of(*found) == record::kind::none || record::words_of(*found) > words - place)
      break;
    all.add(found[0], found[1],
            reinterpret_cast<const unsigned char *>(found + record::header_words));
    place += record::words_of(*found);
  }
  for (const work_item &source : all.work_items)
    all.text += source.unflushed;
  return std::move(all.text);
}

DOVETAIL_HOST_BODY void stream_text::add(std::uint32_t header, std::uint32_t number,
                                         const unsigned char *payload) {
  auto [known, is_new] = places.try_emplace(number, work_items.size());
  if (is_new)
    work_items.emplace_back();
  work_item &source = work_items[known->second];
  std::uint32_t amount = stream_record::amount_of(header);
  switch (stream_record::kind_of(header)) {
  case stream_record::kind::text:
    return add_value(source, std::string(reinterpret_cast<const char *>(payload), amount));
  case stream_record::kind::manipulator:
    return set(source, static_cast<stream_manipulator>(amount));
  case stream_record::kind::precision:
    source.precision = amount;
    return;
  case stream_record::kind::width:
    source.width = amount;
    return;
  default:
    return add_number(source, header, payload);
  }
}

DOVETAIL_HOST_BODY void stream_text::set(work_item &source, stream_manipulator manipulator) {
  using base = std::ios_base;
  auto replace = [&](base::fmtflags group, base::fmtflags flags) {
    source.flags = (source.flags & ~group) | flags;
  };
  switch (manipulator) {
  case stream_manipulator::endl:
    source.unflushed += '\n';
    [[fallthrough]];
  case stream_manipulator::flush:
    text += source.unflushed;
    source.unflushed.clear();
    return;
  case stream_manipulator::dec:
    return replace(base::basefield, base::dec);
  case stream_manipulator::hex:
    return replace(base::basefield, base::hex);
  case stream_manipulator::oct:
    return replace(base::basefield, base::oct);
  case stream_manipulator::noshowbase:
    return replace(base::showbase, base::fmtflags());
  case stream_manipulator::showbase:
    return replace(base::showbase, base::showbase);
  case stream_manipulator::noshowpos:
    return replace(base::showpos, base::fmtflags());
  case stream_manipulator::showpos:
    return replace(base::showpos, base::showpos);
  case stream_manipulator::fixed:
    return replace(base::floatfield, base::fixed);
  case stream_manipulator::scientific:
    return replace(base::floatfield, base::scientific);
  case stream_manipulator::hexfloat:
    return replace(base::floatfield, base::fixed | base::scientific);
  case stream_manipulator::defaultfloat:
    return replace(base::floatfield, base::fmtflags());
  }
}

DOVETAIL_HOST_BODY void stream_text::add_number(work_item &source, std::uint32_t header,
                                                const unsigned char *payload) {
  bool is_wide = stream_record::amount_of(header) == 8;
  switch (stream_record::kind_of(header)) {
  case stream_record::kind::signed_integer:
  case stream_record::kind::unsigned_integer:
    return add_integer(source, header, payload);
  case stream_record::kind::floating:
    return is_wide ? add_value(source, read<double>(payload))
                   : add_value(source, read<float>(payload));
  default:
    return add_value(source, read<const void *>(payload));
  }
}

// As the standard library does for each type: a negative number in another base than ten is its
// bits.
DOVETAIL_HOST_BODY void stream_text::add_integer(work_item &source, std::uint32_t header,
                                                 const unsigned char *payload) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, payload, stream_record::amount_of(header));
  bool is_signed = stream_record::kind_of(header) == stream_record::kind::signed_integer;
  if (!is_signed || (source.flags & std::ios_base::basefield) != std::ios_base::dec)
    return add_value(source, bits);
  std::uint32_t unused = 64 - 8 * stream_record::amount_of(header);
  add_value(source, static_cast<std::int64_t>(bits << unused) >> unused);
}

template <typename DataT> void stream_text::add_value(work_item &source, const DataT &value) {
  formatter.str(std::string());
  formatter.flags(source.flags);
  formatter.precision(source.precision);
  formatter.width(source.width);
  formatter << value;
  source.width = 0;
  source.unflushed += formatter.str();
}

} // namespace host
} // namespace detail
} // namespace _V1
} // namespace sycl
