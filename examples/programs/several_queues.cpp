// Three queues work at a time, each on its own part; a fourth, of the same context, joins the
// parts.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t n = 512;
  sycl::device device;
  std::vector<sycl::queue> queues;
  for (int i = 0; i < 3; ++i)
    queues.emplace_back(device);

  std::vector<sycl::buffer<int>> parts;
  for (std::size_t k = 0; k < queues.size(); ++k) {
    parts.emplace_back(sycl::range<1>(n));
    queues[k].submit([&](sycl::handler &handler) {
      sycl::accessor part(parts[k], handler, sycl::write_only, sycl::no_init);
      int factor = static_cast<int>(k) + 1;
      handler.parallel_for(n, [=](sycl::id<1> i) { part[i] = factor * static_cast<int>(i[0]); });
    });
  }

  sycl::queue last(queues[0].get_context(), device);
  sycl::buffer<int> joined{sycl::range<1>(n)};
  last.submit([&](sycl::handler &handler) {
    sycl::accessor a(parts[0], handler, sycl::read_only);
    sycl::accessor b(parts[1], handler, sycl::read_only);
    sycl::accessor c(parts[2], handler, sycl::read_only);
    sycl::accessor out(joined, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for(n, [=](sycl::id<1> i) { out[i] = a[i] + b[i] + c[i]; });
  });

  sycl::host_accessor result(joined, sycl::read_only);
  for (std::size_t i = 0; i < n; ++i) {
    if (result[i] != 6 * static_cast<int>(i)) {
      std::printf("wrong at %zu: %d\n", i, result[i]);
      return 1;
    }
  }
  std::puts("several queues: ok");
}
