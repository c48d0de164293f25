// Odd-even transposition sort: neighbours are compared and exchanged, alternately the pairs that
// begin at even and at odd places, until nothing changes. Twice: rows that fit into a work-group
// are sorted in local memory, where the group finds out together whether anything changed; and a
// long array by two kernels a round, where a flag in a buffer, read by the host, ends the loop.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

// A pair of neighbours in order? Otherwise exchanges them.
template <typename T> static bool put_in_order(T &left, T &right) {
  if (!(right < left))
    return false;
  const T saved = left;
  left = right;
  right = saved;
  return true;
}

static void sort_rows(sycl::queue &queue, std::vector<int> &values, size_t rows, size_t columns) {
  sycl::buffer<int, 2> buffer(values.data(), {rows, columns});
  queue.submit([&](sycl::handler &handler) {
    auto data = buffer.get_access(handler);
    sycl::local_accessor<int> row(columns, handler);
    // A group sorts a row; each work-item has a pair.
    handler.parallel_for(sycl::nd_range<2>({rows, columns / 2}, {1, columns / 2}),
                         [=](sycl::nd_item<2> item) {
                           const size_t y = item.get_global_id(0), left = 2 * item.get_local_id(1);
                           row[left] = data[y][left];
                           row[left + 1] = data[y][left + 1];
                           bool changed = true;
                           while (changed) {
                             sycl::group_barrier(item.get_group());
                             changed = put_in_order(row[left], row[left + 1]);
                             sycl::group_barrier(item.get_group());
                             if (left + 2 < columns)
                               changed |= put_in_order(row[left + 1], row[left + 2]);
                             changed = sycl::any_of_group(item.get_group(), changed);
                           }
                           sycl::group_barrier(item.get_group());
                           data[y][left] = row[left];
                           data[y][left + 1] = row[left + 1];
                         });
  });
}

static int sort_long(sycl::queue &queue, std::vector<double> &values) {
  sycl::buffer<double> data(values.data(), values.size());
  sycl::buffer<bool> changed(1);
  int rounds = 0;
  do {
    sycl::host_accessor(changed, sycl::write_only)[0] = false;
    for (size_t first = 0; first < 2; ++first) {
      const size_t pairs = (values.size() - first) / 2;
      queue.submit([&](sycl::handler &handler) {
        sycl::accessor element(data, handler);
        sycl::accessor flag(changed, handler);
        handler.parallel_for(sycl::range(pairs), [=](auto &item) {
          const size_t left = 2 * item.get_linear_id() + first;
          if (put_in_order(element[left], element[left + 1]))
            flag[0] = true; // all that write store the same
        });
      });
    }
    ++rounds;
  } while (sycl::host_accessor(changed, sycl::read_only)[0]);
  return rounds;
}

int main() {
  sycl::queue queue;

  constexpr size_t rows = 20, columns = 64;
  std::vector<int> table(rows * columns);
  for (size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<int>(i * 7919 % 1009);
  std::vector<int> expected = table;
  for (size_t row = 0; row < rows; ++row)
    std::sort(&expected[row * columns], &expected[row * columns] + columns);
  sort_rows(queue, table, rows, columns);
  bool right = table == expected;

  // Almost sorted arrays need few rounds: here, nothing is further than 5 places from its own.
  std::vector<double> nearly(501);
  std::iota(nearly.begin(), nearly.end(), 0.5);
  for (size_t i = 0; i + 6 <= nearly.size(); i += 6)
    std::reverse(&nearly[i], &nearly[i] + 6);
  std::vector<double> in_order = nearly;
  std::sort(in_order.begin(), in_order.end());
  const int rounds = sort_long(queue, nearly);
  right = right && nearly == in_order;

  std::printf("odd-even sort: %d rounds: %s\n", rounds, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
