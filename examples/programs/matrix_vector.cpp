// Three kernels for the product of a matrix and a vector: a row for each work-item, a row for each
// sub-group, whose work-items read neighbouring elements, and a row for each work-group with a
// reduction in local memory. Three queues run them at the same time. Numbers are small and whole,
// so all results are exact and the order of additions has no influence.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr std::size_t rows = 192, columns = 160, group_size = 64;

static sycl::event row_for_each_item(sycl::queue &queue, const float *matrix, const float *vector,
                                     float *result) {
  return queue.parallel_for(rows, [=](sycl::item<1> item) {
    const float *row = matrix + item.get_linear_id() * columns;
    float sum = 0;
    for (std::size_t i = 0; i < columns; ++i)
      sum += row[i] * vector[i];
    result[item] = sum;
  });
}

static sycl::event row_for_each_sub_group(sycl::queue &queue, const float *matrix,
                                          const float *vector, float *result) {
  const sycl::nd_range<1> range(1024, group_size);
  return queue.parallel_for(range, [=](sycl::nd_item<1> item) {
    // How many sub-groups there are depends on the device.
    const sycl::sub_group lanes = item.get_sub_group();
    const std::size_t width = lanes.get_local_range()[0];
    const std::size_t in_group = lanes.get_group_range()[0];
    const std::size_t first = item.get_group(0) * in_group + lanes.get_group_id()[0];
    for (std::size_t row = first; row < rows; row += item.get_group_range(0) * in_group) {
      float sum = 0;
      for (std::size_t i = lanes.get_local_id()[0]; i < columns; i += width)
        sum += matrix[row * columns + i] * vector[i];
      sum = sycl::reduce_over_group(lanes, sum, sycl::plus<float>());
      if (lanes.leader())
        result[row] = sum;
    }
  });
}

static sycl::event row_for_each_group(sycl::queue &queue, const float *matrix, const float *vector,
                                      float *result) {
  return queue.submit([&](sycl::handler &handler) {
    sycl::local_accessor<float> sums(group_size, handler);
    handler.parallel_for(sycl::nd_range<1>(rows * group_size, group_size),
                         [=](sycl::nd_item<1> item) {
                           const std::size_t row = item.get_group(0), local = item.get_local_id(0);
                           sums[local] = 0;
                           for (std::size_t i = local; i < columns; i += group_size)
                             sums[local] += matrix[row * columns + i] * vector[i];
                           for (std::size_t half = group_size / 2; half > 0; half /= 2) {
                             sycl::group_barrier(item.get_group());
                             if (local < half)
                               sums[local] += sums[local + half];
                           }
                           if (local == 0)
                             result[row] = sums[0];
                         });
  });
}

int main() {
  sycl::queue by_items, by_sub_groups(by_items.get_context(), by_items.get_device()),
      by_groups(by_items.get_context(), by_items.get_device());
  float *matrix = sycl::malloc_shared<float>(rows * columns, by_items);
  float *vector = sycl::malloc_shared<float>(columns, by_items);
  float *results = sycl::malloc_shared<float>(3 * rows, by_items);
  for (std::size_t i = 0; i < rows * columns; ++i)
    matrix[i] = static_cast<float>(static_cast<int>(i * 37 % 101) - 50);
  for (std::size_t i = 0; i < columns; ++i)
    vector[i] = static_cast<float>(static_cast<int>(i % 9) - 4);

  sycl::event::wait({row_for_each_item(by_items, matrix, vector, results),
                     row_for_each_sub_group(by_sub_groups, matrix, vector, results + rows),
                     row_for_each_group(by_groups, matrix, vector, results + 2 * rows)});

  int errors = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    int expected = 0;
    for (std::size_t i = 0; i < columns; ++i)
      expected += static_cast<int>(matrix[row * columns + i]) * static_cast<int>(vector[i]);
    for (std::size_t kind = 0; kind < 3; ++kind)
      errors += results[kind * rows + row] != static_cast<float>(expected);
  }
  for (float *memory : {matrix, vector, results})
    sycl::free(memory, by_items);
  std::printf("matrix times vector: %d errors\n", errors);
  return errors != 0;
}
