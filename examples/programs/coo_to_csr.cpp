// A sparse matrix, given as unordered triples of row, column and value, is converted to compressed
// rows: atomics count the elements of each row, a scan turns counts into the places where rows
// begin, and atomics take places in the rows. Triples may repeat a place; their values add up. A
// product with a vector, from the compressed form, has to equal the one from the triples.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr std::size_t rows = 200, columns = 150, count = 3000, group_size = 64;

struct Triple {
  std::uint32_t row, column;
  std::int32_t value;
};

struct Entry {
  std::uint32_t column;
  std::int32_t value;
};

using counter =
    sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device>;

int main() {
  std::vector<Triple> triples(count);
  std::uint32_t seed = 9;
  const auto random = [&](std::size_t limit) {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<std::uint32_t>((seed >> 16) % limit);
  };
  for (Triple &each : triples) // the last rows are empty, the first ones long
    each = {random(1 + random(rows - 10)), random(columns), static_cast<int>(random(19)) - 9};
  std::vector<std::int32_t> vector(columns), result(rows);
  for (std::int32_t &each : vector)
    each = static_cast<std::int32_t>(random(100));

  std::vector<std::uint32_t> row_starts(rows + 1);
  {
    sycl::queue queue;
    sycl::buffer triple_buffer(triples);
    sycl::buffer vector_buffer(vector);
    sycl::buffer result_buffer(result);
    sycl::buffer start_buffer(row_starts);
    sycl::buffer<std::uint32_t> filled{sycl::range<1>(rows)};
    sycl::buffer<Entry> entry_buffer{sycl::range<1>(count)};

    queue.submit([&](sycl::handler &handler) {
      sycl::accessor triple(triple_buffer, handler, sycl::read_only);
      sycl::accessor length(start_buffer, handler, sycl::read_write);
      handler.parallel_for(triple_buffer.get_range(),
                           [=](sycl::id<1> i) { counter(length[triple[i].row]).fetch_add(1); });
    });
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor start(start_buffer, handler, sycl::read_write);
      sycl::accessor place(filled, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::nd_range<1>(group_size, group_size), [=](sycl::nd_item<1> item) {
        std::uint32_t *begin = &start[0], *end = begin + rows + 1;
        sycl::joint_exclusive_scan(item.get_group(), begin, end, begin, sycl::plus<>());
        sycl::group_barrier(item.get_group());
        for (std::size_t row = item.get_local_id(0); row < rows; row += group_size)
          place[row] = start[row];
      });
    });
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor triple(triple_buffer, handler, sycl::read_only);
      sycl::accessor place(filled, handler, sycl::read_write);
      sycl::accessor entry(entry_buffer, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) {
        const Triple &each = triple[i];
        entry[counter(place[each.row])++] = {each.column, each.value};
      });
    });
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor start(start_buffer, handler, sycl::read_only);
      sycl::accessor entry(entry_buffer, handler, sycl::read_only);
      sycl::accessor x(vector_buffer, handler, sycl::read_only);
      sycl::accessor y(result_buffer, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<1>(rows), [=](sycl::item<1> row) {
        std::int32_t sum = 0;
        for (std::uint32_t i = start[row]; i < start[row.get_id() + 1]; ++i)
          sum += entry[i].value * x[entry[i].column];
        y[row] = sum;
      });
    });
  }

  std::vector<std::int32_t> expected(rows);
  std::vector<std::uint32_t> sorted(count);
  for (std::size_t i = 0; i < count; ++i) {
    expected[triples[i].row] += triples[i].value * vector[triples[i].column];
    sorted[i] = triples[i].row;
  }
  std::sort(sorted.begin(), sorted.end());
  bool right = result == expected;
  for (std::uint32_t row = 0; row <= rows; ++row)
    right = right &&
            row_starts[row] == std::lower_bound(sorted.begin(), sorted.end(), row) - sorted.begin();
  std::printf("sparse matrix of %zu elements: %s\n", count, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
