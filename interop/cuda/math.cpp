// Every math function, once for each type. Each kernel fills a table: a row for each function, in
// the order of the headers' lists, and a column for each argument. The tables of a GPU can be
// compared with those of the CPU.
#include <sycl/sycl.hpp>

using sycl::ext::oneapi::experimental::single_task_kernel;

template <typename T>
inline void fill_column(const T *a, const T *b, const T *c, const int *n, T *out, int i,
                        int count) {
  int row = 0;
#define DOVETAIL_UNARY(NAME) out[row++ * count + i] = sycl::NAME(a[i]);
#define DOVETAIL_BINARY(NAME) out[row++ * count + i] = sycl::NAME(a[i], b[i]);
#define DOVETAIL_TERNARY(NAME) out[row++ * count + i] = sycl::NAME(a[i], b[i], c[i]);
#define DOVETAIL_INTEGER(NAME) out[row++ * count + i] = sycl::NAME(a[i], n[i]);
#define DOVETAIL_UNARY_CL(NAME) DOVETAIL_UNARY(NAME)
#define DOVETAIL_BINARY_CL(NAME) DOVETAIL_BINARY(NAME)
#define DOVETAIL_TERNARY_CL(NAME) DOVETAIL_TERNARY(NAME)
#define DOVETAIL_INTEGER_CL(NAME) DOVETAIL_INTEGER(NAME)
#include <sycl/detail/math_functions.inc>
  out[row++ * count + i] = sycl::min(a[i], b[i]);
  out[row++ * count + i] = sycl::max(a[i], b[i]);
  out[row++ * count + i] = sycl::clamp(a[i], b[i], c[i]);
  out[row++ * count + i] = sycl::isnan(a[i]);
  out[row++ * count + i] = sycl::isinf(a[i]);
  out[row++ * count + i] = sycl::isfinite(a[i]);
  out[row++ * count + i] = sycl::isnormal(a[i]);
  out[row++ * count + i] = sycl::signbit(a[i]);
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((single_task_kernel))
void of_float(const float *a, const float *b, const float *c, const int *n, float *out, int count) {
  for (int i = 0; i < count; ++i)
    fill_column(a, b, c, n, out, i, count);
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((single_task_kernel))
void of_double(const double *a, const double *b, const double *c, const int *n, double *out,
               int count) {
  for (int i = 0; i < count; ++i)
    fill_column(a, b, c, n, out, i, count);
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((single_task_kernel))
void of_half(const sycl::half *a, const sycl::half *b, const sycl::half *c, const int *n,
             sycl::half *out, int count) {
  for (int i = 0; i < count; ++i)
    fill_column(a, b, c, n, out, i, count);
}

// The functions of native:: and half_precision::, alternating.
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((single_task_kernel))
void less_precise(const float *a, const float *b, float *out, int count) {
  for (int i = 0; i < count; ++i) {
    int row = 0;
#define DOVETAIL_UNARY(NAME)                                                                       \
  out[row++ * count + i] = sycl::native::NAME(a[i]);                                               \
  out[row++ * count + i] = sycl::half_precision::NAME(a[i]);
#define DOVETAIL_BINARY(NAME)                                                                      \
  out[row++ * count + i] = sycl::native::NAME(a[i], b[i]);                                         \
  out[row++ * count + i] = sycl::half_precision::NAME(a[i], b[i]);
#include <sycl/detail/fast_math_functions.inc>
  }
}
