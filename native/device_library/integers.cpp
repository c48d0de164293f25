// Divisions of integers of 128 bits, for which the pass generates calls.

#include "library.h"

#include <cstdint>

namespace {

struct Wide {
  std::uint64_t high;
  std::uint64_t low;
};

bool isLess(Wide a, Wide b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }

Wide difference(Wide a, Wide b) { return {a.high - b.high - (a.low < b.low), a.low - b.low}; }

Wide doubled(Wide a) { return {a.high << 1 | a.low >> 63, a.low << 1}; }

int leadingZeros(Wide a) {
  return a.high ? __builtin_clzll(a.high) : a.low ? 64 + __builtin_clzll(a.low) : 128;
}

/// Divides bit by bit, from the highest bit of the quotient; leaves the remainder in `a`.
Wide divide(Wide &a, Wide b) {
  if (!a.high && !b.high) {
    Wide quotient = {0, a.low / b.low};
    a.low %= b.low;
    return quotient;
  }
  Wide quotient = {0, 0};
  int steps = leadingZeros(b) - leadingZeros(a);
  Wide shifted = b;
  for (int i = 0; i < steps; ++i)
    shifted = doubled(shifted);
  for (int i = 0; i <= steps; ++i) {
    quotient = doubled(quotient);
    if (!isLess(a, shifted)) {
      a = difference(a, shifted);
      quotient.low |= 1;
    }
    shifted = {shifted.high >> 1, shifted.high << 63 | shifted.low >> 1};
  }
  return quotient;
}

using Unsigned = unsigned __int128;
using Signed = __int128;

// Always inlined, so that no function has parameters of 128 bits.
[[clang::always_inline]] inline Wide split(Unsigned x) {
  return {static_cast<std::uint64_t>(x >> 64), static_cast<std::uint64_t>(x)};
}
[[clang::always_inline]] inline Unsigned joined(Wide x) {
  return static_cast<Unsigned>(x.high) << 64 | x.low;
}
[[clang::always_inline]] inline Unsigned size(Signed x) {
  return x < 0 ? -static_cast<Unsigned>(x) : static_cast<Unsigned>(x);
}

} // namespace

DOVETAIL_LIBRARY [[clang::always_inline]] Unsigned __udivti3(Unsigned x, Unsigned y) {
  Wide dividend = split(x);
  return joined(divide(dividend, split(y)));
}

DOVETAIL_LIBRARY [[clang::always_inline]] Unsigned __umodti3(Unsigned x, Unsigned y) {
  Wide dividend = split(x);
  divide(dividend, split(y));
  return joined(dividend);
}

DOVETAIL_LIBRARY [[clang::always_inline]] Signed __divti3(Signed x, Signed y) {
  Unsigned quotient = __udivti3(size(x), size(y));
  return static_cast<Signed>((x < 0) != (y < 0) ? -quotient : quotient);
}

DOVETAIL_LIBRARY [[clang::always_inline]] Signed __modti3(Signed x, Signed y) {
  Unsigned remainder = __umodti3(size(x), size(y));
  return static_cast<Signed>(x < 0 ? -remainder : remainder);
}
