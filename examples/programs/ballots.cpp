// Stream compaction with ballots: each work-item votes whether it keeps its number, and the mask of
// its sub-group tells it how many numbers before it are kept. Then dot products of bytes.
#include <sycl/ext/oneapi/dot_product.hpp>
#include <sycl/ext/oneapi/experimental/cuda/builtins.hpp>
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace one = sycl::ext::oneapi;

static bool kept(int value) { return value % 3 == 0 || value % 7 == 2; }

int main() {
  sycl::queue queue;
  constexpr int n = 1 << 12, group_size = 64;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = (i * 7919) % 1000;

  int *input = sycl::malloc_device<int>(n, queue);
  int *output = sycl::malloc_device<int>(n, queue);
  int *count = sycl::malloc_shared<int>(1, queue);
  int *faults = sycl::malloc_shared<int>(1, queue);
  *count = *faults = 0;
  queue.copy(values.data(), input, n).wait();
  queue
      .parallel_for(
          sycl::nd_range<1>(n, group_size),
          [=](sycl::nd_item<1> item) {
            const auto sub_group = item.get_sub_group();
            const auto lane = sub_group.get_local_linear_id();
            const int value = one::experimental::cuda::ldg(input + item.get_global_id(0));
            const auto mask = one::group_ballot(sub_group, kept(value));

            std::uint64_t bits;
            mask.extract_bits(bits);
            const auto before = sycl::popcount(bits & ((std::uint64_t(1) << lane) - 1));
            int start = 0;
            if (sub_group.leader())
              start =
                  sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(
                      *count)
                      .fetch_add(static_cast<int>(mask.count()));
            start = sycl::group_broadcast(sub_group, start);
            if (mask[lane])
              output[start + before] = value;

            // The mask in other ways.
            auto rest = mask;
            std::uint32_t steps = 0;
            for (; rest.any(); rest.reset_low())
              ++steps;
            auto changed = ~mask;
            changed.flip();
            auto top = mask;
            top.reset();
            top[lane] = true;
            one::sub_group_mask inserted;
            inserted.insert_bits(static_cast<std::uint8_t>(0xa5));
            std::uint8_t low;
            (inserted >> 2).extract_bits(low);
            const bool right =
                steps == mask.count() && changed == mask && (mask | ~mask).all() &&
                (mask & ~mask).none() && top.find_low() == lane && top.find_high() == lane &&
                mask.test(lane) == kept(value) &&
                mask.size() == sub_group.get_max_local_range()[0] &&
                inserted.find_high() == (inserted.size() > 7 ? 7 : 2) &&
                low == ((0xa5 & ((std::uint64_t(1) << (inserted.size() - 1)) * 2 - 1)) >> 2);
            if (!right)
              sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(
                  *faults)++;
          })
      .wait();

  std::vector<int> found(*count), expected;
  queue.copy(output, found.data(), found.size()).wait();
  for (int value : values)
    if (kept(value))
      expected.push_back(value);
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  bool right = found == expected && *faults == 0;

  int *dots = sycl::malloc_shared<int>(2, queue);
  queue
      .single_task([=] {
        const sycl::vec<std::int8_t, 4> x(-1, 2, -3, 4);
        const sycl::vec<std::uint8_t, 4> y(200, 100, 50, 25);
        dots[0] = one::dot_acc(x, y, 5);
        dots[1] = one::dot_acc(y, y, 0);
      })
      .wait();
  right = right && dots[0] == -45 && dots[1] == 53125;

  for (int *memory : {input, output, count, faults, dots})
    sycl::free(memory, queue);
  std::printf("%zu of %d numbers kept: %s\n", found.size(), n, right ? "right" : "wrong");
  return right ? 0 : 1;
}
