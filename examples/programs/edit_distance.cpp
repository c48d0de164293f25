// Levenshtein's edit distance between one word and each word of a dictionary, as a hierarchical
// kernel: a work-group compares one pair of words and goes through the table by anti-diagonals.
// What the work-items of a diagonal share are plain variables of the group's function, of which
// three diagonals are enough. The host computes distances recursively, with memory.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

constexpr std::size_t longest = 15, group_size = 16;

struct Word {
  char letters[longest + 1];
  int length() const {
    int count = 0;
    while (letters[count])
      ++count;
    return count;
  }
};

static std::vector<int> distances(const Word &word, const std::vector<Word> &dictionary) {
  std::vector<int> result(dictionary.size());
  sycl::queue queue;
  sycl::buffer words(dictionary);
  sycl::buffer result_buffer(result);
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor other_word(words, handler, sycl::read_only);
    sycl::accessor distance(result_buffer, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for_work_group(
        words.get_range(), sycl::range<1>(group_size), [=](sycl::group<1> group) {
          const Word a = word, b = other_word[group.get_group_id()];
          const int rows = a.length(), columns = b.length();
          std::array<int, longest + 1> diagonals[3]; // by row

          for (int diagonal = 0; diagonal <= rows + columns; ++diagonal) {
            auto &now = diagonals[diagonal % 3];
            const auto &before = diagonals[(diagonal + 2) % 3],
                       &earlier = diagonals[(diagonal + 1) % 3];
            const int first = sycl::max(0, diagonal - columns), last = sycl::min(diagonal, rows);
            const auto length = static_cast<std::size_t>(last - first + 1);
            group.parallel_for_work_item(sycl::range<1>(length), [&](sycl::h_item<1> item) {
              const int row = first + static_cast<int>(item.get_logical_local_id(0));
              const int column = diagonal - row;
              if (row == 0 || column == 0) {
                now[row] = diagonal; // to insert or delete all letters
              } else {
                const int replaced =
                    earlier[row - 1] + (a.letters[row - 1] != b.letters[column - 1]);
                now[row] = sycl::min(replaced, 1 + sycl::min(before[row - 1], before[row]));
              }
            });
          }
          distance[group.get_group_id()] = diagonals[(rows + columns) % 3][rows];
        });
  });
  const sycl::host_accessor found(result_buffer, sycl::read_only);
  return {found.begin(), found.end()};
}

class Recursion {
public:
  Recursion(std::string a, std::string b) : a_(std::move(a)), b_(std::move(b)) {}

  int distance(std::size_t i, std::size_t j) {
    if (i == a_.size() || j == b_.size())
      return static_cast<int>(a_.size() - i + b_.size() - j);
    if (a_[i] == b_[j])
      return distance(i + 1, j + 1);
    const auto [known, is_new] = known_.try_emplace({i, j}, 0);
    if (is_new)
      known->second =
          1 + std::min({distance(i + 1, j), distance(i, j + 1), distance(i + 1, j + 1)});
    return known->second;
  }

private:
  std::string a_, b_;
  std::map<std::pair<std::size_t, std::size_t>, int> known_;
};

int main() {
  std::vector<Word> dictionary;
  for (const char *each : {"sitting", "kitten", "mitten", "kitchen", "knitting", "", "k", "nettik",
                           "smitten", "abcdefghijklmno", "kindergarten", "kittenish", "bitter",
                           "written", "tik", "eeeeeeeeeeeee"}) {
    Word word{};
    std::strncpy(word.letters, each, longest);
    dictionary.push_back(word);
  }
  const Word word{"kitten"};
  const std::vector<int> found = distances(word, dictionary);

  bool right = found[0] == 3 && found[1] == 0; // as in the textbooks
  for (std::size_t i = 0; i < dictionary.size(); ++i)
    right = right && found[i] == Recursion(word.letters, dictionary[i].letters).distance(0, 0);
  std::printf("edit distances of %zu words: %s\n", dictionary.size(), right ? "ok" : "wrong");
  return right ? 0 : 1;
}
