// Three dimensions: what the items, work-groups and work-items of a box say about their place.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>

int main() {
  sycl::range<3> size(4, 6, 8), group(2, 3, 4);
  sycl::buffer<int, 3> buffer(size);
  sycl::queue queue;

  queue.submit([&](sycl::handler &handler) {
    sycl::accessor out(buffer, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for(size, [=](sycl::item<3> item) {
      bool right =
          item.get_range() == size && item.get_linear_id() == (item[0] * 6 + item[1]) * 8 + item[2];
      out[item[0]][item[1]][item[2]] = right ? 1 : 0;
    });
  });
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor data(buffer, handler, sycl::read_write);
    handler.parallel_for(sycl::nd_range<3>(size, group), [=](sycl::nd_item<3> item) {
      bool right = item.get_global_range() == size && item.get_local_range() == group;
      right = right && item.get_group_range() == sycl::range<3>(2, 2, 2);
      for (int d = 0; d < 3; ++d)
        right = right && item.get_global_id(d) ==
                             item.get_group(d) * item.get_local_range(d) + item.get_local_id(d);
      right = right &&
              item.get_global_linear_id() ==
                  (item.get_global_id(0) * 6 + item.get_global_id(1)) * 8 + item.get_global_id(2);
      right = right && item.get_group().get_group_linear_id() ==
                           (item.get_group(0) * 2 + item.get_group(1)) * 2 + item.get_group(2);
      data[item.get_global_id()] += right ? 10 : 0;
    });
  });

  int errors = 0;
  sycl::host_accessor result(buffer);
  for (std::size_t x = 0; x < size[0]; ++x)
    for (std::size_t y = 0; y < size[1]; ++y)
      for (std::size_t z = 0; z < size[2]; ++z)
        errors += result[x][y][z] != 11;
  std::printf("three dimensions: %d errors in %zu items\n", errors, size.size());
  return errors != 0;
}
