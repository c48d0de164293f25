// Merge sort in shared memory with any comparison. Each round merges pairs of sorted runs between
// two arrays. A run can be long, so that a work-item does not merge a pair but a few elements of
// the output: by a binary search along the diagonal of the "merge path" it finds how many of the
// elements before these come from the left run, and continues there. Each round depends on the
// event of the one before it. The sort is stable.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

constexpr std::size_t chunk = 16; // elements of the output for each work-item

// How many of the first `diagonal` elements of the merged runs come from the left run.
template <typename T, typename Compare>
std::size_t from_left(const T *left, std::size_t left_size, const T *right, std::size_t right_size,
                      std::size_t diagonal, Compare less) {
  std::size_t least = diagonal > right_size ? diagonal - right_size : 0;
  std::size_t most = std::min(diagonal, left_size);
  while (least < most) {
    const std::size_t middle = (least + most) / 2;
    if (less(right[diagonal - 1 - middle], left[middle]))
      most = middle;
    else
      least = middle + 1;
  }
  return least;
}

template <typename T, typename Compare> struct merge_kernel {
  const T *from;
  T *to;
  std::size_t size, run;
  Compare less;

  void operator()(sycl::item<1> item) const {
    const std::size_t first = item.get_linear_id() * chunk;
    const std::size_t last = std::min(first + chunk, size);
    // The runs that this part of the output belongs to: a chunk divides a run.
    const std::size_t start = first / (2 * run) * (2 * run);
    const std::size_t middle = std::min(start + run, size), end = std::min(start + 2 * run, size);
    const std::size_t taken =
        from_left(from + start, middle - start, from + middle, end - middle, first - start, less);
    std::size_t left = start + taken, right = middle + (first - start - taken);
    for (std::size_t i = first; i < last; ++i) {
      const bool from_right = left == middle || (right < end && less(from[right], from[left]));
      to[i] = from_right ? from[right++] : from[left++];
    }
  }
};

template <typename T, typename Compare> struct insertion_kernel {
  T *data;
  std::size_t size;
  Compare less;

  void operator()(sycl::id<1> id) const {
    const std::size_t first = id * chunk, last = std::min(first + chunk, size);
    for (std::size_t i = first + 1; i < last; ++i) {
      const T inserted = data[i];
      std::size_t place = i;
      for (; place > first && less(inserted, data[place - 1]); --place)
        data[place] = data[place - 1];
      data[place] = inserted;
    }
  }
};

// Sorts `data`, and returns where the result is: there or in `other`.
template <typename T, typename Compare>
T *sort(sycl::queue &queue, T *data, T *other, std::size_t size, Compare less) {
  const sycl::range<1> chunks((size + chunk - 1) / chunk);
  sycl::event last = queue.parallel_for(chunks, insertion_kernel<T, Compare>{data, size, less});
  for (std::size_t run = chunk; run < size; run *= 2) {
    last = queue.parallel_for(chunks, last, merge_kernel<T, Compare>{data, other, size, run, less});
    std::swap(data, other);
  }
  last.wait_and_throw();
  return data;
}

struct student {
  int grade;
  char name[8];
};

struct better {
  bool operator()(const student &left, const student &right) const {
    return left.grade > right.grade;
  }
};

static bool operator==(const student &left, const student &right) {
  return left.grade == right.grade && std::string(left.name) == right.name;
}

template <typename T, typename Compare>
bool check(sycl::queue &queue, std::vector<T> values, Compare less) {
  T *data = sycl::malloc_shared<T>(values.size(), queue);
  T *other = sycl::malloc_shared<T>(values.size(), queue);
  std::copy(values.begin(), values.end(), data);
  const T *sorted = sort(queue, data, other, values.size(), less);

  // A stable order is one of the places, too.
  std::vector<std::size_t> places(values.size());
  std::iota(places.begin(), places.end(), 0);
  std::sort(places.begin(), places.end(), [&](std::size_t left, std::size_t right) {
    return less(values[left], values[right]) ||
           (!less(values[right], values[left]) && left < right);
  });
  bool right = true;
  for (std::size_t i = 0; i < places.size(); ++i)
    right = right && sorted[i] == values[places[i]];
  sycl::free(data, queue);
  sycl::free(other, queue);
  return right;
}

int main() {
  sycl::queue queue;
  std::mt19937 engine(5);
  std::vector<int> numbers(10000);
  std::generate(numbers.begin(), numbers.end(), [&] { return static_cast<int>(engine() % 5000); });
  std::vector<student> students(777);
  for (std::size_t i = 0; i < students.size(); ++i) {
    students[i].grade = static_cast<int>(engine() % 6 + 1);
    std::snprintf(students[i].name, sizeof students[i].name, "S%zu", i);
  }
  const bool right = check(queue, numbers, std::less<int>()) &&
                     check(queue, numbers, [](int left, int right) { return left > right; }) &&
                     check(queue, students, better());
  std::printf("merge sort: %s\n", right ? "ok" : "wrong");
  return right ? 0 : 1;
}
