// Hints for the optimiser and for FPGAs: memory of a kernel's pointers does not overlap, iterations
// of loops are independent. They do not affect results, whether or not a compiler uses them.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

constexpr std::size_t Length = 256, Taps = 5;

// Multiplies a matrix with a vector. The attribute promises that no two pointers overlap.
struct matrix_vector {
  const float *matrix, *vector;
  float *result;

  [[intel::kernel_args_restrict]] void operator()(sycl::id<1> row) const {
    float sum = 0;
    [[intel::ivdep]] [[intel::initiation_interval(1)]] for (std::size_t i = 0; i < Length; ++i)
      sum += matrix[row * Length + i] * vector[i];
    result[row] = sum;
  }
};

int main() {
  std::vector<float> matrix(Length * Length), vector(Length), expected(Length);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    matrix[i] = static_cast<float>(i % 13) - 6;
  for (std::size_t i = 0; i < Length; ++i)
    vector[i] = static_cast<float>(i % 7) - 3;

  sycl::queue queue;
  float *in = sycl::malloc_device<float>(matrix.size(), queue);
  float *factor = sycl::malloc_device<float>(Length, queue);
  float *product = sycl::malloc_shared<float>(Length, queue);
  float *filtered = sycl::malloc_shared<float>(Length, queue);
  queue.copy(matrix.data(), in, matrix.size());
  queue.copy(vector.data(), factor, Length).wait();
  queue.wait();
  queue.parallel_for(sycl::range<1>(Length), matrix_vector{in, factor, product}).wait();

  // A filter in one task, written for an FPGA: a shift register and a pipelined loop.
  queue
      .single_task([=]() [[using intel: kernel_args_restrict, max_global_work_dim(0)]] {
        [[intel::fpga_register]] float window[Taps] = {};
        [[intel::initiation_interval(1), intel::max_concurrency(1)]]
        for (std::size_t i = 0; i < Length; ++i) {
#pragma unroll
          for (std::size_t tap = Taps - 1; tap > 0; --tap)
            window[tap] = window[tap - 1];
          window[0] = factor[i];
          float sum = 0;
#pragma unroll
          for (std::size_t tap = 0; tap < Taps; ++tap)
            sum += window[tap];
          filtered[i] = sum;
        }
      })
      .wait();

  int errors = 0;
  for (std::size_t row = 0; row < Length; ++row) {
    float sum = 0;
    for (std::size_t i = 0; i < Length; ++i)
      sum += matrix[row * Length + i] * vector[i];
    errors += product[row] != sum; // small integers: exact in any order
    float window = 0;
    for (std::size_t tap = 0; tap < Taps && tap <= row; ++tap)
      window += vector[row - tap];
    errors += filtered[row] != window;
  }
  for (float *pointer : {in, factor, product, filtered})
    sycl::free(pointer, queue);
  std::printf("restrict arguments: %d errors\n", errors);
  return errors != 0;
}
