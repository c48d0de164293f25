// The first and the last position of each letter of a text, and how often it occurs, with the
// atomics of SYCL 1.2.1: accessors with access mode `atomic`, whose elements are objects of class
// atomic, and the functions atomic_fetch_…. Work-groups collect in local memory. New programs use
// atomic_ref.
#include <CL/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace sy = cl::sycl;

constexpr std::size_t letters = 26, group_size = 64;

struct positions {
  std::vector<int> first, last, count;

  explicit positions(std::size_t size)
      : first(letters, static_cast<int>(size)), last(letters, -1), count(letters, 0) {}

  bool operator==(const positions &other) const {
    return first == other.first && last == other.last && count == other.count;
  }
};

// The buffers write back when the function returns.
static void find(sy::queue &queue, const std::string &text, positions &result) {
  sy::buffer<char, 1> characters(text.data(), sy::range<1>(text.size()));
  sy::buffer<int, 1> firsts(result.first.data(), sy::range<1>(letters));
  sy::buffer<int, 1> lasts(result.last.data(), sy::range<1>(letters));
  sy::buffer<int, 1> counts(result.count.data(), sy::range<1>(letters));
  queue.submit([&](sy::handler &cgh) {
    auto character = characters.get_access<sy::access::mode::read>(cgh);
    auto first = firsts.get_access<sy::access::mode::atomic>(cgh);
    auto last = lasts.get_access<sy::access::mode::atomic>(cgh);
    auto count = counts.get_access<sy::access::mode::atomic>(cgh);
    using local_counts = sy::accessor<int, 1, sy::access::mode::atomic, sy::access::target::local>;
    local_counts group_count(sy::range<1>(letters), cgh);

    const std::size_t size = text.size();
    const std::size_t groups = (size + group_size - 1) / group_size;
    cgh.parallel_for<class find_letters>(
        sy::nd_range<1>(groups * group_size, group_size), [=](sy::nd_item<1> item) {
          const std::size_t i = item.get_global_id(0), lane = item.get_local_id(0);
          if (lane < letters)
            group_count[lane].store(0);
          item.barrier(sy::access::fence_space::local_space);
          if (i < size && character[i] >= 'a' && character[i] <= 'z') {
            const std::size_t letter = static_cast<std::size_t>(character[i] - 'a');
            sy::atomic_fetch_add(group_count[letter], 1);
            sy::atomic_fetch_min(first[letter], static_cast<int>(i));
            last[letter].fetch_max(static_cast<int>(i));
          }
          item.barrier(sy::access::fence_space::local_space);
          if (lane < letters)
            count[lane].fetch_add(sy::atomic_load(group_count[lane]));
        });
  });
}

int main() {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += i == 3 ? "zebra, quite alone; " : i == 33 ? "jumping fox; " : "the dog sleeps, ";

  positions expected(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] >= 'a' && text[i] <= 'z') {
      const std::size_t letter = static_cast<std::size_t>(text[i] - 'a');
      expected.last[letter] = static_cast<int>(i);
      ++expected.count[letter];
      if (expected.first[letter] == static_cast<int>(text.size()))
        expected.first[letter] = static_cast<int>(i);
    }

  sy::queue queue;
  positions found(text.size());
  find(queue, text, found);
  const bool right = found == expected;
  std::printf("letter positions: z at %d, x at %d: %s\n", found.first['z' - 'a'],
              found.last['x' - 'a'], right ? "ok" : "wrong");
  return right ? 0 : 1;
}
