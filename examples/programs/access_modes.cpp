// no_init, modes by tag and by template argument, and access from the host between kernels.
#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  constexpr int n = 32;
  sycl::queue queue;
  sycl::buffer<int> buffer{sycl::range<1>(n)};

  {
    sycl::host_accessor data(buffer, sycl::write_only, sycl::no_init);
    for (int i = 0; i < n; ++i)
      data[i] = i;
  }
  queue.submit([&](sycl::handler &handler) {
    auto data = buffer.get_access<sycl::access_mode::read_write>(handler);
    handler.parallel_for(n, [=](sycl::id<1> i) { data[i] += 1; });
  });
  {
    sycl::host_accessor data(buffer, sycl::read_write);
    for (int &value : data)
      value *= 2;
  }
  // Writing without no_init keeps what is not written.
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor data{buffer, handler, sycl::write_only};
    handler.single_task([=] { data[0] = 100; });
  });

  sycl::host_accessor<int, 1, sycl::access_mode::read> result(buffer);
  bool right = result[0] == 100 && result.get_range() == sycl::range<1>(n);
  for (int i = 1; i < n; ++i)
    right = right && result[i] == 2 * (i + 1);

  // A buffer that is written as a whole need not be copied first.
  sycl::buffer<int> fresh{sycl::range<1>(n)};
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor data(fresh, handler, sycl::write_only,
                        sycl::property_list{sycl::property::no_init()});
    handler.parallel_for(n, [=](sycl::id<1> i) { data[i] = -1; });
  });
  right = right && sycl::host_accessor(fresh, sycl::read_only)[n - 1] == -1;

  std::printf("access modes: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
