// QR decomposition by the modified method of Gram and Schmidt. Each step normalizes one column and
// subtracts its part from all later ones, a column for each work-group: scalar products are
// reductions over the work-group. Columns lie in device memory one after the other, so the
// work-items of a group read neighbouring elements. Q has to be orthogonal and QR the matrix.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

constexpr std::size_t rows = 80, columns = 24, group_size = 32;

// The scalar product of two columns, as all work-items of a group compute it together.
static float dot_product(const sycl::group<1> &group, const float *left, const float *right) {
  float sum = 0;
  for (std::size_t i = group.get_local_linear_id(); i < rows; i += group.get_local_linear_range())
    sum += left[i] * right[i];
  return sycl::reduce_over_group(group, sum, sycl::plus<>());
}

struct Normalize {
  float *q, *r;
  std::size_t step;

  void operator()(sycl::nd_item<1> item) const {
    float *column = q + step * rows;
    const float length = sycl::sqrt(dot_product(item.get_group(), column, column));
    for (std::size_t i = item.get_local_id(0); i < rows; i += group_size)
      column[i] /= length;
    if (item.get_group().leader())
      r[step * columns + step] = length;
  }
};

struct Orthogonalize {
  float *q, *r;
  std::size_t step;

  void operator()(sycl::nd_item<1> item) const {
    const std::size_t target = step + 1 + item.get_group(0);
    const float *unit = q + step * rows;
    float *column = q + target * rows;
    const float part = dot_product(item.get_group(), unit, column);
    for (std::size_t i = item.get_local_id(0); i < rows; i += group_size)
      column[i] -= part * unit[i];
    if (item.get_local_id(0) == 0)
      r[step * columns + target] = part;
  }
};

int main() {
  std::vector<float> original(rows * columns), q(original.size()), r(columns * columns);
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row)
      original[column * rows + row] =
          std::cos(0.37f * static_cast<float>((row + 1) * (column + 1))) + (row == column ? 2 : 0);

  sycl::queue queue;
  float *q_memory = sycl::malloc_device<float>(q.size(), queue);
  float *r_memory = sycl::malloc_device<float>(r.size(), queue);
  sycl::event cleared = queue.fill(r_memory, 0.0f, r.size());
  sycl::event ready = queue.memcpy(q_memory, original.data(), q.size() * sizeof(float));
  for (std::size_t step = 0; step < columns; ++step) {
    ready = queue.parallel_for(sycl::nd_range<1>(group_size, group_size), {ready, cleared},
                               Normalize{q_memory, r_memory, step});
    const std::size_t left = columns - step - 1;
    if (left > 0)
      ready = queue.parallel_for(sycl::nd_range<1>(left * group_size, group_size), ready,
                                 Orthogonalize{q_memory, r_memory, step});
  }
  sycl::event q_done = queue.memcpy(q.data(), q_memory, q.size() * sizeof(float), ready);
  sycl::event r_done = queue.memcpy(r.data(), r_memory, r.size() * sizeof(float), ready);
  sycl::event::wait({q_done, r_done});
  sycl::free(q_memory, queue);
  sycl::free(r_memory, queue);

  int errors = 0;
  for (std::size_t i = 0; i < columns; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      double product = 0;
      for (std::size_t row = 0; row < rows; ++row)
        product += double(q[i * rows + row]) * q[j * rows + row];
      errors += !(std::fabs(product - (i == j)) < 1e-4);
      errors += j < i && r[i * columns + j] != 0;
    }
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (std::size_t k = 0; k <= column; ++k)
        sum += double(q[k * rows + row]) * r[k * columns + column];
      errors += !(std::fabs(sum - original[column * rows + row]) < 1e-4);
    }
  std::printf("Gram and Schmidt: %d errors\n", errors);
  return errors != 0;
}
