// A reduction as a hierarchical kernel: the code between the parallel parts runs once for each
// work-group, and its variables are shared by the work-items of the group.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t groups = 16, group_size = 64, n = groups * group_size;

  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<int>(i * i % 101);

  sycl::queue queue;
  std::vector<int> sums(groups), rounds(groups);
  {
    sycl::buffer value_buffer(values), sum_buffer(sums), round_buffer(rounds);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor value(value_buffer, handler, sycl::read_only);
      sycl::accessor sum(sum_buffer, handler, sycl::write_only, sycl::no_init);
      sycl::accessor round(round_buffer, handler, sycl::read_write);
      handler.parallel_for_work_group<class reduction>(
          sycl::range<1>(groups), sycl::range<1>(group_size), [=](sycl::group<1> group) {
            int partial[group_size];
            sycl::private_memory<int> own(group);

            // Each work-item keeps its value, and shares its square.
            group.parallel_for_work_item([&](sycl::h_item<1> item) {
              own(item) = value[item.get_global_id()];
              partial[item.get_local_id(0)] = own(item) * own(item);
            });

            // The loop belongs to the group; there is a barrier after each parallel part.
            for (std::size_t half = group_size / 2; half > 0; half /= 2) {
              group.parallel_for_work_item(sycl::range<1>(half), [&](sycl::h_item<1> item) {
                partial[item.get_local_id(0)] += partial[item.get_local_id(0) + half];
              });
              ++round[group.get_group_id(0)]; // once, not by every work-item
            }

            // What a work-item kept is still there.
            int total = partial[0];
            group.parallel_for_work_item(
                [&](sycl::h_item<1> item) { partial[item.get_local_id(0)] = total + own(item); });
            sum[group.get_group_id(0)] = partial[group_size - 1];
          });
    });
  }

  int wrong = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    int expected = values[(group + 1) * group_size - 1];
    for (std::size_t i = group * group_size; i < (group + 1) * group_size; ++i)
      expected += values[i] * values[i];
    wrong += sums[group] != expected || rounds[group] != 6;
  }
  std::printf("hierarchical reduction: %d of %zu groups wrong\n", wrong, groups);
  return wrong != 0;
}
