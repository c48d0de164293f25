// Hello, items: the body of each kernel names no type. `auto &` is an item of the range that the
// kernel is launched over, or an nd_item, which also knows the work-group.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t rows = 6, columns = 8, group_size = 4;
  constexpr std::size_t total = rows * columns;

  sycl::queue queue;
  std::vector<int> places(total), groups(total), doubled(total);
  {
    sycl::buffer<int, 2> place_buffer(places.data(), sycl::range<2>(rows, columns));
    sycl::buffer<int> group_buffer(groups), doubled_buffer(doubled);

    // Two dimensions: each work-item notes where it is.
    queue.submit([&](auto &handler) {
      sycl::accessor place(place_buffer, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(place.get_range(), [=](auto &item) {
        place[item] = static_cast<int>(item[0] * 100 + item[1]);
      });
    });

    // Work-groups: each work-item notes its group and its place in the group.
    queue.submit([&](auto &handler) {
      sycl::accessor group(group_buffer, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::nd_range<1>(total, group_size), [=](auto &item) {
        std::size_t number = item.get_group(0) * 10 + item.get_local_id(0);
        group[item.get_global_id()] = static_cast<int>(number);
      });
    });

    // One dimension: an item is as good as a number.
    queue.submit([&](auto &handler) {
      sycl::accessor group(group_buffer, handler, sycl::read_only);
      sycl::accessor twice(doubled_buffer, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(total, [=](const auto &i) { twice[i] = 2 * group[i]; });
    });
  }

  int wrong = 0;
  for (std::size_t i = 0; i < total; ++i) {
    int group = static_cast<int>(i / group_size * 10 + i % group_size);
    wrong += places[i] != static_cast<int>(i / columns * 100 + i % columns);
    wrong += groups[i] != group;
    wrong += doubled[i] != 2 * group;
  }
  std::printf("hello items: %zu work-items, %d wrong\n", total, wrong);
  return wrong != 0;
}
