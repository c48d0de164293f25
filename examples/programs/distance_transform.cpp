// The exact distance of each pixel from the nearest object of a picture. The first kernel goes
// along the columns, down and up, and finds the distance to the nearest object above or below. The
// second has a work-group for each row, which reads these distances into local memory by an
// asynchronous copy and takes the minimum of the squares. The host compares with all objects, one
// by one.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

constexpr int rows = 60, columns = 64;
constexpr int nothing = 1000; // more than any distance; its square is no overflow

struct spot {
  int row, column;
};

static std::vector<int> transform(sycl::queue &queue, const std::vector<unsigned char> &picture) {
  std::vector<int> squared(picture.size());
  sycl::buffer objects(picture.data(), sycl::range<2>(rows, columns));
  sycl::buffer<int, 2> vertical(sycl::range<2>(rows, columns));
  sycl::buffer result(squared.data(), sycl::range(rows, columns));

  queue.submit([&](sycl::handler &handler) {
    sycl::accessor object(objects, handler, sycl::read_only);
    sycl::accessor distance(vertical, handler, sycl::read_write, sycl::no_init);
    handler.parallel_for(columns, [=](auto column) {
      int since = nothing;
      for (int row = 0; row < rows; ++row) {
        since = object[row][column] ? 0 : sycl::min(since + 1, nothing);
        distance[row][column] = since;
      }
      for (int row = rows - 1; row >= 0; --row) {
        since = object[row][column] ? 0 : sycl::min(since + 1, nothing);
        distance[row][column] = sycl::min(distance[row][column], since);
      }
    });
  });
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor distance(vertical, handler, sycl::read_only);
    sycl::accessor to(result, handler, sycl::write_only, sycl::no_init);
    sycl::local_accessor<int, 1> row_distances(columns, handler);
    handler.parallel_for(
        sycl::nd_range<2>({rows, columns}, {1, columns}), [=](sycl::nd_item<2> item) {
          const auto group = item.get_group();
          const auto local = row_distances.get_multi_ptr<sycl::access::decorated::yes>();
          const auto global = distance.get_multi_ptr<sycl::access::decorated::yes>();
          sycl::device_event copied =
              group.async_work_group_copy(local, global + group[0] * columns, columns);
          group.wait_for(copied);

          const int here = static_cast<int>(item.get_local_id(1));
          int least = nothing * nothing;
          for (int column = 0; column < columns; ++column) {
            const int across = column - here, along = row_distances[column];
            least = sycl::min(least, across * across + along * along);
          }
          to[item.get_global_id()] = least;
        });
  });
  queue.wait();
  sycl::host_accessor values(result, sycl::read_only);
  return std::vector<int>(values.begin(), values.end());
}

int main() {
  sycl::queue queue;
  std::mt19937 engine(12);
  bool right = true;
  int furthest = 0;
  for (int number_of_spots : {1, 7, 60}) {
    std::vector<unsigned char> picture(rows * columns, 0);
    std::vector<spot> spots(number_of_spots);
    for (spot &each : spots) {
      each = {static_cast<int>(engine() % rows), static_cast<int>(engine() % columns)};
      picture[each.row * columns + each.column] = 1;
    }
    const std::vector<int> squared = transform(queue, picture);
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        int expected = nothing * nothing;
        for (spot each : spots)
          expected = std::min(expected, (each.row - row) * (each.row - row) +
                                            (each.column - column) * (each.column - column));
        right = right && squared[row * columns + column] == expected;
        furthest = std::max(furthest, expected);
      }
  }
  std::printf("distance transform: furthest at %.2f: %s\n",
              sycl::sqrt(static_cast<float>(furthest)), right ? "ok" : "wrong");
  return right ? 0 : 1;
}
