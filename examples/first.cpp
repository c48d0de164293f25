// Three kernels as plain functions. The same source compiles with DPC++.
#include <sycl/sycl.hpp>

namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;

// y = a * x + y
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
void saxpy(float a, const float *x, float *y) {
  auto item = syclext::this_work_item::get_nd_item<1>();
  size_t i = item.get_global_id(0);
  y[i] += a * x[i];
}

// to = from, turned over its diagonal, a tile at a time through local memory
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<2>))
void transpose(const float *from, float *to) {
  constexpr size_t side = 16;
  auto item = syclext::this_work_item::get_nd_item<2>();
  auto tile = syclext::group_local_memory_for_overwrite<float[side][side]>(item.get_group());
  size_t rows = item.get_global_range(0), columns = item.get_global_range(1);
  size_t row = item.get_local_id(0), column = item.get_local_id(1);

  (*tile)[row][column] = from[item.get_global_id(0) * columns + item.get_global_id(1)];
  sycl::group_barrier(item.get_group());

  size_t to_row = item.get_group(1) * side + row;
  size_t to_column = item.get_group(0) * side + column;
  to[to_row * rows + to_column] = (*tile)[column][row];
}

// The sum of all values, by one work-item
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))
void total(const float *values, unsigned count, float *sum) {
  float result = 0;
  for (unsigned i = 0; i < count; ++i)
    result += values[i];
  *sum = result;
}
