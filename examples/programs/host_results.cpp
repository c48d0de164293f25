// Where the host reads results: a host accessor waits for the kernels, and while it exists, the
// content of the buffer is also in the vector from which the buffer was made.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <vector>

// Chooses the first device it is asked about, which is allowed to change the selector.
class FirstDevice {
public:
  int operator()(const sycl::device &) { return score--; }

private:
  int score = 100;
};

static void add(sycl::queue &queue, sycl::buffer<int> &numbers, int number) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor data(numbers, handler);
    handler.parallel_for(numbers.get_range(), [=](sycl::id<1> i) { data[i] += number; });
  });
}

int main() {
  FirstDevice selector;
  sycl::queue queue(selector);
  constexpr int n = 1000;
  std::vector<int> values(n, 1);
  bool right = true;
  {
    sycl::buffer numbers(values);
    add(queue, numbers, 2);
    {
      sycl::host_accessor result(numbers, sycl::read_only);
      right = right && values == std::vector<int>(n, 3) && result[n - 1] == 3;
    }
    add(queue, numbers, 4);
    {
      sycl::host_accessor first(numbers, sycl::read_only), second(numbers, sycl::read_only);
      right = right && values == std::vector<int>(n, 7) && first[0] == second[0];
    }
    add(queue, numbers, 1);
    {
      sycl::host_accessor changed(numbers);
      right = right && values[n / 2] == 8;
      changed[n / 2] = 80;
      right = right && values[n / 2] == 80;
    }
    add(queue, numbers, 1);
    {
      sycl::host_accessor replaced(numbers, sycl::write_only, sycl::no_init);
      for (int i = 0; i < n; ++i)
        replaced[i] = i;
    }
    add(queue, numbers, 5);
  }
  for (int i = 0; i < n; ++i)
    right = right && values[i] == i + 5;

  std::printf("results: %s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
