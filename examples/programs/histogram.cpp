// Counts letters, each work-group in local memory before it adds to the whole.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

int main() {
  std::string text;
  while (text.size() < 4096)
    text += "the quick brown fox jumps over the lazy dog ";
  text.resize(4096);
  std::vector<unsigned> counts(26, 0), expected(26, 0);
  for (char c : text)
    if (c != ' ')
      ++expected[static_cast<std::size_t>(c - 'a')];

  sycl::queue queue;
  {
    sycl::buffer<char> text_buffer(text.data(), text.size());
    sycl::buffer count_buffer(counts);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor letters(text_buffer, handler, sycl::read_only);
      sycl::accessor total(count_buffer, handler);
      sycl::local_accessor<unsigned, 1> local(sycl::range<1>(26), handler);
      handler.parallel_for(sycl::nd_range<1>(text.size(), 128), [=](sycl::nd_item<1> item) {
        std::size_t at = item.get_local_id(0);
        if (at < 26)
          local[at] = 0;
        sycl::group_barrier(item.get_group());
        char c = letters[item.get_global_id()];
        if (c != ' ')
          sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(
              local[static_cast<std::size_t>(c - 'a')])++;
        sycl::group_barrier(item.get_group());
        if (at < 26)
          sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device>(
              total[at]) += local[at];
      });
    });
  }

  std::printf("e %u, o %u, z %u: %s\n", counts[4], counts[14], counts[25],
              counts == expected ? "ok" : "wrong");
  return counts == expected ? 0 : 1;
}
