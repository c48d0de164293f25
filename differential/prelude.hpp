// Shared by all random kernels: names of types, guarded operations, and idioms that compilers
// recognise and replace by instructions.

using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long;

#ifdef DIFFERENTIAL_REFERENCE
using half = _Float16;
#else
using sycl::half;
#endif

#if defined(DIFFERENTIAL_REFERENCE) || defined(DIFFERENTIAL_CLANG_VECTORS)
template <typename T, int N> using Vec = T __attribute__((ext_vector_type(N)));
#else
template <typename T, int N> using Vec = sycl::vec<T, N>;
#endif

template <typename T> struct UnsignedOf;
template <> struct UnsignedOf<i8> {
  using type = u8;
};
template <> struct UnsignedOf<i16> {
  using type = u16;
};
template <> struct UnsignedOf<i32> {
  using type = u32;
};
template <> struct UnsignedOf<i64> {
  using type = u64;
};
template <> struct UnsignedOf<u8> : UnsignedOf<i8> {};
template <> struct UnsignedOf<u16> : UnsignedOf<i16> {};
template <> struct UnsignedOf<u32> : UnsignedOf<i32> {};
template <> struct UnsignedOf<u64> : UnsignedOf<i64> {};
template <typename T> using Unsigned = typename UnsignedOf<T>::type;

template <typename T> inline constexpr int width = sizeof(T) * 8;
template <typename T> inline constexpr bool is_signed = T(-1) < T(0);
template <typename T>
inline constexpr T lowest = is_signed<T> ? T(Unsigned<T>(1) << (width<T> - 1)) : T(0);
template <typename T> inline constexpr T highest = T(~lowest<T>);

// The quotient or remainder, or the divisor where the result is undefined.
template <typename T> inline T divide(T a, T b) {
  return b == 0 || (is_signed<T> && a == lowest<T> && b == T(-1)) ? b : T(a / b);
}

template <typename T> inline T remainder(T a, T b) {
  return b == 0 || (is_signed<T> && a == lowest<T> && b == T(-1)) ? b : T(a % b);
}

// The number without its fraction, or 3 where it might not fit.
template <typename T, typename F> inline T to_integer(F value) {
  constexpr F limit = F(100.0f);
  return value > (is_signed<T> ? F(-limit) : F(-0.5f)) && value < limit ? T(float(value)) : T(3);
}

// NaN has many encodings and compares unequal to itself; results contain a number instead.
template <typename T> inline T canonical(T value) { return value != value ? T(-77) : value; }

// The bits of a number, for sums of everything that a work-item has computed.
template <typename T> inline u64 word(T value) {
  if constexpr (T(0.5f) == T(0))
    return u64(value);
  else if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(u64, canonical(value));
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(u32, canonical(value));
  else if constexpr (sizeof(T) == 2)
    return __builtin_bit_cast(u16, canonical(value));
  else
    return value; // bool
}

template <typename T> inline T rotate_left(T value, u32 by) {
  Unsigned<T> bits = value;
  by %= width<T>;
  return T(Unsigned<T>(bits << by) | Unsigned<T>(bits >> ((width<T> - by) % width<T>)));
}

template <typename T> inline T funnel_shift(T high, T low, u32 by) {
  by %= width<T>;
  return by == 0 ? high
                 : T(Unsigned<T>(Unsigned<T>(high) << by) | (Unsigned<T>(low) >> (width<T> - by)));
}

template <typename T> inline T reverse_bits(T value) {
  Unsigned<T> bits = value, result = 0;
  for (int i = 0; i < width<T>; ++i) {
    result = Unsigned<T>(result << 1 | (bits & 1));
    bits >>= 1;
  }
  return T(result);
}

// The same by halves, quarters and so on.
inline u32 reverse_bits_by_swaps(u32 value) {
  value = (value >> 1 & 0x55555555u) | (value & 0x55555555u) << 1;
  value = (value >> 2 & 0x33333333u) | (value & 0x33333333u) << 2;
  value = (value >> 4 & 0x0f0f0f0fu) | (value & 0x0f0f0f0fu) << 4;
  value = (value >> 8 & 0x00ff00ffu) | (value & 0x00ff00ffu) << 8;
  return value >> 16 | value << 16;
}

template <typename T> inline T swap_bytes(T value) {
  Unsigned<T> bits = value, result = 0;
  for (unsigned i = 0; i < sizeof(T); ++i)
    result |= Unsigned<T>(Unsigned<T>(bits >> (8 * i) & 0xff) << (8 * (sizeof(T) - 1 - i)));
  return T(result);
}

template <typename T> inline T count_ones(T value) {
  int count = 0;
  for (Unsigned<T> bits = value; bits; bits &= Unsigned<T>(bits - 1))
    ++count;
  return T(count);
}

template <typename T> inline T leading_zeros(T value) {
  int count = 0;
  for (Unsigned<T> bits = value; count < width<T> && !(bits >> (width<T> - 1)); ++count)
    bits = Unsigned<T>(bits << 1);
  return T(count);
}

template <typename T> inline T trailing_zeros(T value) {
  int count = 0;
  for (Unsigned<T> bits = value; count < width<T> && !(bits & 1); ++count)
    bits >>= 1;
  return T(count);
}

template <typename T> inline T add_saturated(T a, T b) {
  if (b > 0 && a > highest<T> - b)
    return highest<T>;
  if (is_signed<T> && b < 0 && a < lowest<T> - b)
    return lowest<T>;
  return T(a + b);
}

template <typename T> inline T subtract_saturated(T a, T b) {
  if (b > 0 && a < lowest<T> + b)
    return lowest<T>;
  if (is_signed<T> && b < 0 && a > highest<T> + b)
    return highest<T>;
  return T(a - b);
}

template <typename T> inline T absolute(T value) {
  return value < 0 ? T(Unsigned<T>(0) - Unsigned<T>(value)) : value;
}

template <typename T> inline T absolute_difference(T a, T b) {
  return a > b ? T(Unsigned<T>(a) - Unsigned<T>(b)) : T(Unsigned<T>(b) - Unsigned<T>(a));
}

inline u32 multiply_high(u32 a, u32 b) { return u32(u64(a) * b >> 32); }
inline i32 multiply_high_signed(i32 a, i32 b) { return i32(i64(a) * b >> 32); }

template <typename T> inline T smaller(T a, T b) { return a < b ? a : b; }
template <typename T> inline T larger(T a, T b) { return a < b ? b : a; }
template <typename T> inline T bounded(T value, T low, T high) {
  return value < low ? low : value > high ? high : value;
}

inline u32 greatest_common_divisor(u32 a, u32 b) {
  while (b) {
    u32 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// One byte of an object that is read as bytes.
template <typename T> inline u8 byte_of(const T &object, u32 index) {
  return reinterpret_cast<const u8 *>(&object)[index % sizeof(T)];
}

// Inputs are generated from a seed, so that a source needs no data file.
inline u64 mixed(u64 value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ul;
  value = (value ^ value >> 27) * 0x94d049bb133111ebul;
  return value ^ value >> 31;
}

template <typename T> inline T input_element(u64 seed, u64 index) {
  u64 bits = mixed(seed * 0x9e3779b97f4a7c15ul + index);
  if constexpr (T(0.5f) != T(0)) {
    return T(float(int(bits % 401) - 200) / 4);
  } else {
    switch (bits >> 60) {
    case 0:
      return T(0);
    case 1:
      return lowest<T>;
    case 2:
      return highest<T>;
    case 3:
      return T(-1);
    case 4:
    case 5:
    case 6:
      return T(bits % 16);
    default:
      return T(bits);
    }
  }
}

// Counters for operations whose order does not matter; each belongs to one operation.
struct HostCounters {
  u32 *values;
  void add(int index, u32 value) { values[index] += value; }
  void bit_or(int index, u32 value) { values[index] |= value; }
  void bit_and(int index, u32 value) { values[index] &= value; }
  void bit_xor(int index, u32 value) { values[index] ^= value; }
  void min(int index, u32 value) { values[index] = smaller(values[index], value); }
  void max(int index, u32 value) { values[index] = larger(values[index], value); }
};

#ifndef DIFFERENTIAL_REFERENCE
struct DeviceCounters {
  u32 *values;
  auto at(int index) const {
    return sycl::atomic_ref<u32, sycl::memory_order::relaxed, sycl::memory_scope::device>(
        values[index]);
  }
  void add(int index, u32 value) const { at(index).fetch_add(value); }
  void bit_or(int index, u32 value) const { at(index).fetch_or(value); }
  void bit_and(int index, u32 value) const { at(index).fetch_and(value); }
  void bit_xor(int index, u32 value) const { at(index).fetch_xor(value); }
  void min(int index, u32 value) const { at(index).fetch_min(value); }
  void max(int index, u32 value) const { at(index).fetch_max(value); }
};
#endif
