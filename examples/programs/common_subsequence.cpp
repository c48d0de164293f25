// The longest common subsequence of two texts by dynamic programming in wavefronts: the elements
// of an anti-diagonal of the table depend only on the two diagonals before, so a kernel computes
// all elements of one diagonal. The table is in shared memory; the host follows it back to read the
// subsequence, checks that it is one, and compares its length with a table computed row by row.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

static std::string text(std::size_t length, unsigned seed) {
  std::string result;
  for (; result.size() < length; seed = seed * 1103515245u + 12345u)
    result += "ACGT"[seed >> 20 & 3];
  return result;
}

static bool is_subsequence(const std::string &part, const std::string &whole) {
  std::size_t found = 0;
  for (char letter : whole)
    found += found < part.size() && part[found] == letter;
  return found == part.size();
}

static std::size_t length_row_by_row(const std::string &a, const std::string &b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (char letter : a) {
    std::size_t diagonal = 0; // the element above and to the left
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = letter == b[j - 1] ? diagonal + 1 : std::max(above, row[j - 1]);
      diagonal = above;
    }
  }
  return row.back();
}

int main() {
  const std::string a = text(90, 3), b = text(70, 8);
  const std::size_t rows = a.size() + 1, columns = b.size() + 1;

  sycl::queue queue{sycl::property::queue::in_order()};
  char *first = sycl::malloc_device<char>(a.size(), queue);
  char *second = sycl::malloc_device<char>(b.size(), queue);
  int *table = sycl::malloc_shared<int>(rows * columns, queue);
  queue.memcpy(first, a.data(), a.size());
  queue.memcpy(second, b.data(), b.size());
  queue.memset(table, 0, rows * columns * sizeof(int));
  for (std::size_t diagonal = 2; diagonal < rows + columns - 1; ++diagonal) {
    // Row and column add up to `diagonal`; neither is 0.
    const std::size_t top = diagonal < columns ? 1 : diagonal - columns + 1;
    const std::size_t bottom = std::min(diagonal, rows);
    queue.parallel_for(bottom - top, [=](sycl::id<1> id) {
      const std::size_t i = top + id, j = diagonal - i, at = i * columns + j;
      table[at] = first[i - 1] == second[j - 1] ? table[at - columns - 1] + 1
                                                : sycl::max(table[at - columns], table[at - 1]);
    });
  }
  queue.wait();

  std::string common;
  for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
    const int *element = table + i * columns + j;
    if (a[i - 1] == b[j - 1]) {
      common += a[i - 1];
      --i, --j;
    } else if (element[-1] == *element) {
      --j;
    } else {
      --i;
    }
  }
  std::reverse(common.begin(), common.end());
  for (void *memory :
       {static_cast<void *>(first), static_cast<void *>(second), static_cast<void *>(table)})
    sycl::free(memory, queue);

  const bool right = is_subsequence(common, a) && is_subsequence(common, b) &&
                     common.size() == length_row_by_row(a, b);
  std::printf("common subsequence of %zu letters: %s\n", common.size(), right ? "ok" : "wrong");
  return right ? 0 : 1;
}
