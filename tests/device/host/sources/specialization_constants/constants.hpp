// The specialization constants that both sources use, and what each source does.
#pragma once

#include <array>
#include <cstdio>
#include <sycl/sycl.hpp>

struct point {
  char tag;
  double weight;
  short steps[3];
  bool last;

  friend bool operator==(const point &left, const point &right) {
    return left.tag == right.tag && left.weight == right.weight &&
           left.steps[0] == right.steps[0] && left.steps[1] == right.steps[1] &&
           left.steps[2] == right.steps[2] && left.last == right.last;
  }
};

// A type without a default constructor.
struct offset {
  explicit constexpr offset(long value) : value(value) {}
  long value;
};

namespace shared {
inline constexpr sycl::specialization_id<int> number{5};
inline constexpr sycl::specialization_id<point> where(point{'x', 1.5, {1, 2, 3}, true});
} // namespace shared

template <int Value> struct numbered {
  static constexpr sycl::specialization_id<long> id{Value};
};

#define CHECK(...)                                                                                 \
  do                                                                                               \
    if (!(__VA_ARGS__))                                                                            \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #__VA_ARGS__);                                \
  while (false)

inline sycl::queue &the_queue() {
  static sycl::queue queue{sycl::property::queue::in_order()};
  return queue;
}

template <typename Call> int code_of(Call call) {
  try {
    call();
  } catch (const sycl::exception &failure) {
    return failure.code().value();
  }
  return 0;
}

// In other.cpp: a device function, and a kernel with a constant of the same name as one of main's.
SYCL_EXTERNAL int number_plus(sycl::kernel_handler handler, int addend);
int number_of_other(int set_to);
