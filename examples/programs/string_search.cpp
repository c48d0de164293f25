// Search for several words in a text. The words are searched at the same time by two queues; a
// work-item looks at one place of the text, and those that find a word append its place to a list,
// whose length is an atomic counter. Sub-groups take places in the list for all of their work-items
// at once, which keeps most work-items away from the counter. std::string finds the same places.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

constexpr std::size_t group_size = 64, most = 4096;

struct Matches {
  std::uint32_t count;
  std::uint32_t places[most];
};

static sycl::event search(sycl::queue &queue, const char *text, std::size_t length,
                          const char *word, std::size_t word_length, Matches *matches,
                          const sycl::event &ready) {
  return queue.submit([&](sycl::handler &handler) {
    handler.depends_on(ready);
    const std::size_t whole = (length + group_size - 1) / group_size * group_size;
    handler.parallel_for(sycl::nd_range<1>(whole, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t place = item.get_global_linear_id();
      bool found = place + word_length <= length;
      for (std::size_t i = 0; found && i < word_length; ++i)
        found = text[place + i] == word[i];

      const sycl::sub_group lanes = item.get_sub_group();
      if (sycl::none_of_group(lanes, found))
        return;
      const std::uint32_t flag = found;
      const auto before = sycl::exclusive_scan_over_group(lanes, flag, sycl::plus<>());
      const auto sum = sycl::reduce_over_group(lanes, flag, sycl::plus<>());
      std::uint32_t first = 0;
      if (lanes.leader()) {
        sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device>
            count(matches->count);
        first = count.fetch_add(sum);
      }
      first = sycl::group_broadcast(lanes, first);
      if (found && first + before < most)
        matches->places[first + before] = static_cast<std::uint32_t>(place);
    });
  });
}

int main() {
  std::string text;
  std::uint32_t seed = 4;
  for (int i = 0; i < 6000; ++i) {
    seed = seed * 1664525u + 1013904223u;
    text += "aabnst "[(seed >> 16) % 7];
  }
  const std::array<std::string_view, 5> words{"a", "banana", "st", "aa", " tab"};
  text.replace(1000, 8, "bananana");
  text.replace(text.size() - 6, 6, "banana");

  sycl::queue first_queue, second_queue(first_queue.get_context(), first_queue.get_device());
  char *on_device = sycl::malloc_device<char>(text.size(), first_queue);
  char *word_memory = sycl::malloc_host<char>(words.size() * 16, first_queue);
  Matches *matches = sycl::malloc_shared<Matches>(words.size(), first_queue);
  const sycl::event copied = first_queue.copy(text.data(), on_device, text.size());
  std::vector<sycl::event> searches;
  for (std::size_t i = 0; i < words.size(); ++i) {
    char *word = word_memory + i * 16;
    std::copy(words[i].begin(), words[i].end(), word);
    matches[i].count = 0;
    searches.push_back(search(i % 2 ? second_queue : first_queue, on_device, text.size(), word,
                              words[i].size(), &matches[i], copied));
  }
  sycl::event::wait(searches);

  bool right = true;
  std::size_t sum = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::vector<std::uint32_t> expected;
    for (auto at = text.find(words[i]); at != text.npos; at = text.find(words[i], at + 1))
      expected.push_back(static_cast<std::uint32_t>(at));
    const std::size_t found = std::min<std::size_t>(matches[i].count, most);
    std::vector<std::uint32_t> places(matches[i].places, matches[i].places + found);
    std::sort(places.begin(), places.end());
    right = right && !expected.empty() && places == expected;
    sum += matches[i].count;
  }
  sycl::free(on_device, first_queue);
  sycl::free(word_memory, first_queue);
  sycl::free(matches, first_queue);
  std::printf("%zu places found: %s\n", sum, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
