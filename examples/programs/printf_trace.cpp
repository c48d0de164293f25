// printf in kernels: a trace of a binary search, in a function that kernels and the host call. The
// host's result is the expected one.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <vector>

namespace syclexp = sycl::ext::oneapi::experimental;

// On the host, this printf is the standard library's.
int find(const int *sorted, int count, int wanted, const char *who) {
  int first = 0, last = count - 1;
  for (int step = 0; first <= last; ++step) {
    int middle = first + (last - first) / 2;
    syclexp::printf("%-6s step %d: [%2d, %2d], at %2d is %4d\n", who, step, first, last, middle,
                    sorted[middle]);
    if (sorted[middle] == wanted)
      return middle;
    if (sorted[middle] < wanted)
      first = middle + 1;
    else
      last = middle - 1;
  }
  return -1;
}

int main() {
  constexpr int count = 32, wanted = 20 * 20;
  std::vector<int> squares(count);
  for (int i = 0; i < count; ++i)
    squares[i] = i * i;

  int expected = find(squares.data(), count, wanted, "host");
  std::fflush(stdout);

  int found = 0;
  sycl::queue queue;
  {
    sycl::buffer<int> input(squares), output(&found, 1);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor sorted(input, handler, sycl::read_only);
      sycl::accessor place(output, handler, sycl::write_only);
      handler.single_task([=] { place[0] = find(&sorted[0], count, wanted, "device"); });
    });
  }
  std::printf("printf trace: %s\n", found == expected && found == 20 ? "ok" : "wrong");
  return found != expected || found != 20;
}
