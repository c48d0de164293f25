// The least and the greatest value of a field with their places: reductions of a structure with
// operations of the program's own, which have no identity.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

struct Located {
  float value;
  unsigned row, column;
};

// Of equal values the first counts, so that the result does not depend on the order.
inline bool is_before(const Located &left, const Located &right) {
  return left.row != right.row ? left.row < right.row : left.column < right.column;
}

struct Least {
  Located operator()(const Located &left, const Located &right) const {
    if (left.value != right.value)
      return left.value < right.value ? left : right;
    return is_before(left, right) ? left : right;
  }
};

struct Greatest {
  Located operator()(const Located &left, const Located &right) const {
    if (left.value != right.value)
      return left.value > right.value ? left : right;
    return is_before(left, right) ? left : right;
  }
};

int main() {
  constexpr unsigned rows = 217, columns = 331;
  std::vector<float> field(rows * columns);
  for (unsigned i = 0; i < rows * columns; ++i)
    field[i] = static_cast<float>((i * 7919u) % 65537u) - 30000.0f;

  Located least_expected{field[0], 0, 0}, greatest_expected = least_expected;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < columns; ++column) {
      const float value = field[row * columns + column];
      if (value < least_expected.value)
        least_expected = {value, row, column};
      if (value > greatest_expected.value)
        greatest_expected = {value, row, column};
    }

  sycl::queue queue;
  float *device_field = sycl::malloc_device<float>(rows * columns, queue);
  Located *results = sycl::malloc_shared<Located>(2, queue);
  // Where a reduction has no identity, its variable has to have a value that takes part.
  results[0] = results[1] = {field[0], 0, 0};
  sycl::event copied = queue.copy(field.data(), device_field, field.size());

  queue
      .parallel_for(sycl::range<2>(rows, columns), copied, sycl::reduction(&results[0], Least()),
                    sycl::reduction(&results[1], Greatest()),
                    [=](sycl::id<2> place, auto &least, auto &greatest) {
                      const Located here{device_field[place[0] * columns + place[1]],
                                         static_cast<unsigned>(place[0]),
                                         static_cast<unsigned>(place[1])};
                      least.combine(here);
                      greatest.combine(here);
                    })
      .wait();

  const auto same = [](const Located &left, const Located &right) {
    return left.value == right.value && left.row == right.row && left.column == right.column;
  };
  const bool right = same(results[0], least_expected) && same(results[1], greatest_expected);
  std::printf("least %.0f at (%u, %u), greatest %.0f at (%u, %u): %s\n",
              static_cast<double>(results[0].value), results[0].row, results[0].column,
              static_cast<double>(results[1].value), results[1].row, results[1].column,
              right ? "ok" : "wrong");
  sycl::free(results, queue);
  sycl::free(device_field, queue);
  return right ? 0 : 1;
}
