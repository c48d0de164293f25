// The greatest eigenvalue of a symmetric matrix by power iteration: a vector that is multiplied by
// the matrix again and again turns towards the eigenvector. Each step is a matrix-vector product
// whose kernel also computes two sums, and a kernel that scales by one of them, which never leaves
// the device. The matrix is made of eigenvalues and eigenvectors, so the result is known.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

constexpr std::size_t n = 64;
constexpr int steps = 40;

// The eigenvectors: columns of a matrix that mirrors at the plane vertical to (1, 2, 1, 2, ...).
static double eigenvector(std::size_t number, std::size_t i) {
  constexpr double square = n / 2 * (1 + 4); // of the vector's length
  const auto normal = [](std::size_t k) { return k % 2 ? 2.0 : 1.0; };
  return (i == number) - 2 * normal(i) * normal(number) / square;
}

static double eigenvalue(std::size_t number) {
  return number == 5 ? -3.0 : 2.0 * std::cos(static_cast<double>(number)) / 1.5;
}

int main() {
  std::vector<float> a(n * n), start(n, 1.0f);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k)
        sum += eigenvalue(k) * eigenvector(k, i) * eigenvector(k, j);
      a[i * n + j] = static_cast<float>(sum);
    }

  sycl::queue queue;
  sycl::buffer<float, 2> matrix(a.data(), sycl::range<2>(n, n));
  sycl::buffer vector(start), product(sycl::buffer<float>{sycl::range<1>(n)});
  sycl::buffer<float> rayleigh{sycl::range<1>(1)}, square{sycl::range<1>(1)};
  vector.set_write_back(false);
  const sycl::property_list anew{sycl::property::reduction::initialize_to_identity()};
  for (int step = 0; step < steps; ++step) {
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor element(matrix, handler, sycl::read_only);
      sycl::accessor x(vector, handler, sycl::read_only);
      sycl::accessor y(product, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<1>(n),
                           sycl::reduction(rayleigh, handler, std::plus<float>(), anew),
                           sycl::reduction(square, handler, std::plus<float>(), anew),
                           [=](auto i, auto &along, auto &length) {
                             float sum = 0;
                             for (std::size_t j = 0; j < n; ++j)
                               sum += element[i][j] * x[j];
                             y[i] = sum;
                             along += x[i] * sum;
                             length += sum * sum;
                           });
    });
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor y(product, handler, sycl::read_only);
      sycl::accessor length(square, handler, sycl::read_only);
      sycl::accessor x(vector, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<1>(n),
                           [=](auto i) { x[i] = y[i] * sycl::rsqrt(length[0]); });
    });
  }

  // The signs of an eigenvector are free, but not relative to each other.
  const sycl::host_accessor value(rayleigh, sycl::read_only);
  const sycl::host_accessor found(vector, sycl::read_only);
  const double sign = found[5] * eigenvector(5, 5) < 0 ? -1 : 1;
  int errors = !(std::fabs(value[0] + 3.0) < 1e-4);
  for (std::size_t i = 0; i < n; ++i)
    errors += !(std::fabs(sign * found[i] - eigenvector(5, i)) < 1e-4);
  std::printf("greatest eigenvalue %.2f, %d errors\n", value[0], errors);
  return errors != 0;
}
