// Lambdas inside the kernel's lambda, and lambdas that the kernel captures, which hold accessors
// and other lambdas themselves.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>

int main() {
  constexpr std::size_t n = 128;
  sycl::queue queue;
  sycl::buffer<int> source{sycl::range<1>(n)}, target{sycl::range<1>(n)};
  {
    sycl::host_accessor data(source, sycl::write_only, sycl::no_init);
    for (std::size_t i = 0; i < n; ++i)
      data[i] = static_cast<int>(i);
  }

  int offset = 7;
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor in(source, handler, sycl::read_only);
    sycl::accessor out(target, handler, sycl::write_only, sycl::no_init);
    auto square = [](int x) { return x * x; };
    auto shifted = [=](int x) { return square(x) + offset; };
    auto read = [=](std::size_t i) { return shifted(in[i]); };
    handler.parallel_for(n, [=](sycl::id<1> id) {
      auto both = [&](auto next) { return next(id[0]) + next((id[0] + 1) % n); };
      out[id] = both([=](std::size_t i) { return read(i); });
    });
  });

  sycl::host_accessor result(target, sycl::read_only);
  int errors = 0;
  for (std::size_t i = 0; i < n; ++i) {
    int x = static_cast<int>(i), y = static_cast<int>((i + 1) % n);
    errors += result[i] != x * x + y * y + 2 * offset;
  }
  std::printf("nested lambdas: %d errors\n", errors);
  return errors != 0;
}
