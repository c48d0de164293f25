// What a buffer can be made from.
#include <sycl/sycl.hpp>

#include <array>
#include <cstdio>
#include <list>
#include <memory>
#include <vector>

static int sum(sycl::queue &queue, sycl::buffer<int> &buffer) {
  sycl::buffer<int> total{sycl::range<1>(1)};
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor in(buffer, handler, sycl::read_only);
    sycl::accessor out(total, handler, sycl::write_only, sycl::no_init);
    handler.single_task([=] {
      int result = 0;
      for (std::size_t i = 0; i < in.size(); ++i)
        result += in[i];
      out[0] = result;
    });
  });
  return sycl::host_accessor(total, sycl::read_only)[0];
}

int main() {
  sycl::queue queue;

  std::vector<int> vector{1, 2, 3};
  sycl::buffer from_vector(vector);

  std::array<int, 4> array{1, 2, 3, 4};
  sycl::buffer from_array(array);

  int plain[] = {10, 20};
  sycl::buffer<int> from_pointer(plain, sycl::range<1>(2));

  const int constant[] = {5, 6, 7};
  sycl::buffer<int> from_constant(constant, 3);

  std::list<int> list{1, 1, 2, 3, 5, 8};
  sycl::buffer<int> from_iterators(list.begin(), list.end());
  sycl::buffer part_of_vector(vector.begin() + 1, vector.end());

  std::shared_ptr<int[]> shared(new int[2]{40, 2});
  sycl::buffer<int> from_shared(shared, sycl::range<1>(2));

  sycl::buffer<int> empty_at_first{sycl::range<1>(2)};
  {
    sycl::host_accessor data(empty_at_first, sycl::write_only, sycl::no_init);
    data[0] = 3;
    data[1] = 4;
  }

  std::printf("%d %d %d %d %d %d %d %d\n", sum(queue, from_vector), sum(queue, from_array),
              sum(queue, from_pointer), sum(queue, from_constant), sum(queue, from_iterators),
              sum(queue, part_of_vector), sum(queue, from_shared), sum(queue, empty_at_first));
  return from_array.size() == 4 && from_array.byte_size() == 16 ? 0 : 1;
}
