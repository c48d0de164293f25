// Templates of functions with kernels inside, and templates of kernels.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

template <typename T, typename Operation>
std::vector<T> transform(sycl::queue &queue, const std::vector<T> &input, Operation operation) {
  std::vector<T> output(input.size());
  sycl::buffer<T> from(input);
  sycl::buffer<T> to(output);
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor x(from, handler, sycl::read_only);
    sycl::accessor y(to, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for(sycl::range<1>(input.size()),
                         [=](sycl::id<1> i) { y[i] = operation(x[i]); });
  });
  sycl::host_accessor result(to, sycl::read_only);
  std::copy(result.begin(), result.end(), output.begin());
  return output;
}

template <typename T, int Factor> struct multiply {
  T *values;
  void operator()(sycl::id<1> i) const { values[i] = static_cast<T>(values[i] * Factor); }
};

template <typename T> bool check(sycl::queue &queue) {
  auto doubled = transform(queue, std::vector<T>{1, 2, 3}, [](T x) { return x + x; });
  auto squared = transform(queue, doubled, [](T x) { return x * x; });
  T *memory = sycl::malloc_shared<T>(3, queue);
  std::copy(squared.begin(), squared.end(), memory);
  queue.parallel_for(3, multiply<T, 2>{memory}).wait();
  queue.parallel_for(3, multiply<T, 5>{memory}).wait();
  bool right = memory[0] == T(40) && memory[1] == T(160) && memory[2] == T(360);
  sycl::free(memory, queue);
  return right;
}

int main() {
  sycl::queue queue;
  bool right = check<int>(queue) && check<float>(queue) && check<unsigned long>(queue);
  std::printf("templates: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
