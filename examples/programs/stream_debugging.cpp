// Looking for a mistake with streams: a kernel checks its input, reports what is wrong to one
// stream and a summary of each work-group to another. Only work-items that have something to say
// print, so the output is short however large the range is.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr int groups = 4, group_size = 64, n = groups * group_size;
constexpr int mistake = 70;

// The kernel is a function object that holds streams and accessors alike.
struct checker {
  sycl::accessor<int, 1, sycl::access_mode::read> input;
  sycl::accessor<int, 1, sycl::access_mode::write> wrong_in_group;
  sycl::local_accessor<int, 1> wrong;
  sycl::stream reports, summary;

  void operator()(sycl::nd_item<1> item) const {
    if (item.get_local_id(0) == 0)
      wrong[0] = 0;
    sycl::group_barrier(item.get_group());
    check(item.get_global_id(0));
    sycl::group_barrier(item.get_group());
    if (item.get_local_id(0) != 0)
      return;
    wrong_in_group[item.get_group(0)] = wrong[0];
    if (wrong[0] > 0)
      summary << "in " << item.get_group() << ": " << wrong[0] << " wrong" << sycl::endl;
  }

  void check(std::size_t i) const {
    int expected = static_cast<int>(2 * i);
    if (input[i] == expected)
      return;
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(wrong[0])++;
    reports << "at " << sycl::id<1>(i) << ": expected " << expected << ", got " << input[i]
            << sycl::endl;
  }
};

int main() {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = 2 * i;
  values[mistake] = -1;

  std::vector<int> wrong(groups);
  {
    sycl::queue queue;
    sycl::buffer<int> input(values), output(wrong);
    queue.submit([&](sycl::handler &handler) {
      checker kernel{{input, handler},
                     {output, handler},
                     {sycl::range<1>(1), handler},
                     {4096, 128, handler},
                     {1024, 256, handler}};
      handler.parallel_for(sycl::nd_range<1>(n, group_size), kernel);
    });
  }

  std::vector<int> expected(groups);
  expected[mistake / group_size] = 1;
  std::printf("stream debugging: %s\n", wrong == expected ? "ok" : "wrong");
  return wrong != expected;
}
