// Work-items of a sub-group exchange values without memory: a sum by halves, a rotation, and the
// reversal of each sub-group.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int main() {
  constexpr std::size_t n = 256, group_size = 64;

  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = static_cast<int>(i * i % 59);
  std::vector<int> sums(n), rotated(n), reversed(n), places(n), lengths(n);

  sycl::queue queue;
  {
    sycl::buffer value_buffer(values), sum_buffer(sums), rotated_buffer(rotated);
    sycl::buffer reversed_buffer(reversed), place_buffer(places), length_buffer(lengths);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor value(value_buffer, handler, sycl::read_only);
      sycl::accessor sum(sum_buffer, handler, sycl::write_only);
      sycl::accessor rotation(rotated_buffer, handler, sycl::write_only);
      sycl::accessor reversal(reversed_buffer, handler, sycl::write_only);
      sycl::accessor place(place_buffer, handler, sycl::write_only);
      sycl::accessor length(length_buffer, handler, sycl::write_only);
      handler.parallel_for(sycl::nd_range<1>(n, group_size), [=](sycl::nd_item<1> item) {
        const std::size_t i = item.get_global_id(0);
        const sycl::sub_group lanes = item.get_sub_group();
        const unsigned lane = lanes.get_local_linear_id(), count = lanes.get_local_linear_range();
        const int own = value[i];

        // After each step the first half of the rest has the sums of pairs.
        int total = own;
        for (unsigned left = count; left > 1; left = (left + 1) / 2) {
          const unsigned half = (left + 1) / 2;
          const int other = sycl::shift_group_left(lanes, total, half);
          if (lane + half < left)
            total += other;
        }
        sum[i] = sycl::group_broadcast(lanes, total, 0);
        rotation[i] = sycl::select_from_group(lanes, own, (lane + 1) % count);
        reversal[i] = sycl::select_from_group(lanes, own, count - 1 - lane);
        place[i] = static_cast<int>(lane);
        length[i] = static_cast<int>(count);
      });
    });
  }

  int wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t lane = static_cast<std::size_t>(places[i]), first = i - lane;
    const std::size_t count = static_cast<std::size_t>(lengths[i]);
    int total = 0;
    for (std::size_t k = 0; k < count; ++k)
      total += values[first + k];
    wrong += sums[i] != total;
    wrong += rotated[i] != values[first + (lane + 1) % count];
    wrong += reversed[i] != values[first + count - 1 - lane];
  }
  std::printf("sub-group shuffles: %d wrong\n", wrong);
  return wrong != 0;
}
