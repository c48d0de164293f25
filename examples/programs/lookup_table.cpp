// Constants in kernels: tables known at compile time, constants of a namespace, tables in a
// function.
#include <sycl/sycl.hpp>

#include <array>
#include <cstdio>

namespace table {
constexpr int weights[] = {1, 10, 100, 1000};
constexpr float pi = 3.14159265f;
constexpr std::array<int, 4> odd{1, 3, 5, 7};
} // namespace table

const int answer = 42;

enum class colour { red = 3, green = 5 };

static int digit(int i) {
  constexpr char digits[] = "0123456789";
  return digits[i % 10] - '0';
}

int main() {
  constexpr int n = 16;
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(n, queue);
  queue
      .parallel_for(n,
                    [=](sycl::id<1> id) {
                      int i = static_cast<int>(id[0]);
                      static constexpr int shifts[4] = {0, 1, 2, 3};
                      int round = static_cast<int>(table::pi * 100.0f);
                      out[i] = table::weights[i % 4] + (table::odd[i / 4] << shifts[i % 4]) +
                               answer + static_cast<int>(colour::green) + digit(i) + round;
                    })
      .wait();

  int errors = 0;
  for (int i = 0; i < n; ++i) {
    int expected = table::weights[i % 4] + (table::odd[i / 4] << i % 4) + 42 + 5 + i % 10 + 314;
    errors += out[i] != expected;
  }
  sycl::free(out, queue);
  std::printf("tables: %d errors\n", errors);
  return errors != 0;
}
