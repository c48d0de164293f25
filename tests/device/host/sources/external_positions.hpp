// Functions of another source, with SYCL_EXTERNAL in all positions that DPC++ accepts.
#pragma once

#include <sycl/sycl.hpp>

SYCL_EXTERNAL extern "C" int first(int x);
SYCL_EXTERNAL extern int second(int x);
extern SYCL_EXTERNAL int third(int x);
extern "C" SYCL_EXTERNAL int fourth(int x);
inline SYCL_EXTERNAL int fifth(int x) { return x + 5; }
template <typename T> SYCL_EXTERNAL T sixth(T x) { return x + 6; }
[[nodiscard]] SYCL_EXTERNAL int seventh(int x);
SYCL_EXTERNAL [[nodiscard]] int eighth(int x);
int SYCL_EXTERNAL ninth(int x);
SYCL_EXTERNAL constexpr int tenth(int x) { return x + 10; }
struct counter {
  SYCL_EXTERNAL int get(int x) const;
  static SYCL_EXTERNAL int eleventh(int x);
};
extern "C" {
SYCL_EXTERNAL int twelfth(int x);
}
namespace inner {
SYCL_EXTERNAL int thirteenth(int x);
}
SYCL_EXTERNAL __attribute__((noinline)) int fourteenth(int x);
SYCL_EXTERNAL auto fifteenth(int x) -> int;
