// Numbers in every format, as a stream and as std::ostream output them: to standard output by a
// kernel, to standard error by the host.
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <random>

#define MANIPULATOR(NAME)                                                                          \
  inline void NAME(const sycl::stream &out) { out << sycl::NAME; }                                 \
  inline void NAME(std::ostream &out) { out << std::NAME; }

namespace set {
MANIPULATOR(dec)
MANIPULATOR(hex)
MANIPULATOR(oct)
MANIPULATOR(showbase)
MANIPULATOR(noshowbase)
MANIPULATOR(showpos)
MANIPULATOR(noshowpos)
MANIPULATOR(fixed)
MANIPULATOR(scientific)
MANIPULATOR(hexfloat)
MANIPULATOR(defaultfloat)
inline void precision(const sycl::stream &out, int digits) { out << sycl::setprecision(digits); }
inline void precision(std::ostream &out, int digits) { out << std::setprecision(digits); }
inline void width(const sycl::stream &out, int characters) { out << sycl::setw(characters); }
inline void width(std::ostream &out, int characters) { out << std::setw(characters); }
} // namespace set

constexpr int count = 300;

struct numbers {
  float floats[count];
  double doubles[count];
  std::int64_t integers[count];
};

template <typename Out, typename DataT> void floating(Out &out, DataT number) {
  for (int notation = 0; notation < 4; ++notation) {
    switch (notation) {
    case 0:
      set::defaultfloat(out);
      break;
    case 1:
      set::fixed(out);
      break;
    case 2:
      set::scientific(out);
      break;
    default:
      set::hexfloat(out);
    }
    for (int digits : {0, 1, 4, 6, 9, 17}) {
      set::precision(out, digits);
      set::width(out, 3 * digits);
      out << number << '|' << number << ' ';
    }
  }
  out << '\n';
}

template <typename DataT, typename Out> void integer(Out &out, std::int64_t number) {
  out << static_cast<DataT>(number) << ' ';
  set::width(out, 12);
  out << static_cast<std::make_unsigned_t<DataT>>(number) << ' ';
}

template <typename Out> void integers(Out &out, std::int64_t number) {
  for (int base = 0; base < 3; ++base) {
    base == 0 ? set::dec(out) : base == 1 ? set::hex(out) : set::oct(out);
    for (int shown = 0; shown < 4; ++shown) {
      shown & 1 ? set::showbase(out) : set::noshowbase(out);
      shown & 2 ? set::showpos(out) : set::noshowpos(out);
      integer<short>(out, number);
      integer<int>(out, number);
      integer<long>(out, number);
      integer<long long>(out, number);
    }
  }
  out << '\n';
}

template <typename Out> void write(Out &out, const numbers &given) {
  for (std::int64_t number : given.integers)
    integers(out, number);
  set::noshowpos(out);
  set::noshowbase(out);
  set::dec(out);
  for (float number : given.floats)
    floating(out, number);
  for (double number : given.doubles)
    floating(out, number);
}

template <typename To, typename From> To from_bits(From bits) {
  To number;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}

int main() {
  sycl::queue queue;
  auto *given = sycl::malloc_shared<numbers>(1, queue);
  std::mt19937_64 random(4);
  for (int i = 0; i < count; ++i) {
    // Of any exponent, with infinities and others that are not numbers, and such as people write.
    given->floats[i] = i % 2 ? from_bits<float>(static_cast<std::uint32_t>(random())) : i / 8.0f;
    given->doubles[i] = i % 2 ? from_bits<double>(random()) : i / 10.0 - 7;
    given->integers[i] = i < 20 ? i - 10 : static_cast<std::int64_t>(random() >> (i % 64));
  }
  given->floats[1] = 0.0f, given->floats[3] = -0.0f, given->floats[5] = 1e-45f;
  given->floats[7] = std::numeric_limits<float>::infinity();
  given->doubles[1] = -std::numeric_limits<double>::infinity();
  given->doubles[3] = std::numeric_limits<double>::quiet_NaN();

  queue.submit([&](sycl::handler &handler) {
    sycl::stream out(8 << 20, 1 << 20, handler);
    handler.single_task([=] { write(out, *given); });
  });
  queue.wait();
  write(std::cerr, *given);
  sycl::free(given, queue);
}
