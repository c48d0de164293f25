// The mathematical functions on the device against those of the C library.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>

int main() {
  constexpr std::size_t n = 100, functions = 8;
  sycl::queue queue;
  sycl::buffer<float, 2> buffer{sycl::range<2>(n, functions)};
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor out(buffer, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for(n, [=](sycl::id<1> i) {
      float x = 0.1f + 0.05f * static_cast<float>(i[0]);
      out[i[0]][0] = sycl::sqrt(x);
      out[i[0]][1] = sycl::sin(x);
      out[i[0]][2] = sycl::exp(x);
      out[i[0]][3] = sycl::log(x);
      out[i[0]][4] = sycl::pow(x, 1.5f);
      out[i[0]][5] = sycl::fma(x, x, -1.0f);
      out[i[0]][6] = sycl::clamp(x, 1.0f, 2.0f);
      out[i[0]][7] = sycl::atan2(x, 2.0f) + sycl::fmin(x, 3.0f) + sycl::floor(x);
    });
  });

  sycl::host_accessor result(buffer, sycl::read_only);
  int errors = 0;
  for (std::size_t i = 0; i < n; ++i) {
    float x = 0.1f + 0.05f * static_cast<float>(i);
    float expected[functions] = {std::sqrt(x),
                                 std::sin(x),
                                 std::exp(x),
                                 std::log(x),
                                 std::pow(x, 1.5f),
                                 std::fma(x, x, -1.0f),
                                 std::fmin(std::fmax(x, 1.0f), 2.0f),
                                 std::atan2(x, 2.0f) + std::fmin(x, 3.0f) + std::floor(x)};
    for (std::size_t f = 0; f < functions; ++f)
      errors += std::fabs(result[i][f] - expected[f]) > 1e-5f * (1.0f + std::fabs(expected[f]));
  }
  std::printf("mathematics: %d errors\n", errors);
  return errors != 0;
}
