// A function object with state as a kernel, by its own type and twice with different state.
#include <sycl/sycl.hpp>

#include <cstdio>

class polynomial {
public:
  polynomial(float *values, float a, float b, float c) : values(values), factors{a, b, c} {}

  void operator()(sycl::id<1> i) const {
    float x = static_cast<float>(i[0]);
    values[i] = evaluate(x);
  }

  float evaluate(float x) const { return (factors[0] * x + factors[1]) * x + factors[2]; }

private:
  float *values;
  float factors[3];
};

struct add_one {
  float *values;
  void operator()(sycl::item<1> item) const { values[item.get_id(0)] += 1.0f; }
};

int main() {
  constexpr int n = 50;
  sycl::queue queue;
  float *values = sycl::malloc_shared<float>(n, queue);
  int errors = 0;
  for (float a : {1.0f, 2.0f}) {
    polynomial kernel(values, a, -3.0f, 5.0f);
    queue.parallel_for(sycl::range<1>(n), kernel).wait();
    queue.parallel_for(sycl::range<1>(n), add_one{values}).wait();
    for (int i = 0; i < n; ++i)
      errors += values[i] != kernel.evaluate(static_cast<float>(i)) + 1.0f;
  }
  sycl::free(values, queue);
  std::printf("function objects: %d errors\n", errors);
  return errors != 0;
}
