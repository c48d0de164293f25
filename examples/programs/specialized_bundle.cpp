// Evaluates polynomials whose degree is a specialization constant, set in kernel bundles. Each
// bundle is built before its kernels start, so no launch waits for the compiler, and a bundle can
// be used for any number of launches.
#include <sycl/sycl.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int highest = 6;

constexpr sycl::specialization_id<int> degree{1};
constexpr sycl::specialization_id<std::array<double, highest + 1>> factors;

class horner;

// A function that kernels call needs the kernel_handler, too.
static double value_at(double x, sycl::kernel_handler handler) {
  const std::array<double, highest + 1> factor = handler.get_specialization_constant<factors>();
  const int top = handler.get_specialization_constant<degree>();
  double sum = factor[top];
  for (int i = top - 1; i >= 0; --i)
    sum = sum * x + factor[i];
  return sum;
}

static void evaluate(sycl::queue &queue, double *x,
                     const sycl::kernel_bundle<sycl::bundle_state::executable> &bundle,
                     std::size_t count) {
  queue
      .submit([&](sycl::handler &group) {
        group.use_kernel_bundle(bundle);
        group.parallel_for<horner>(sycl::range(count), [=](sycl::id<1> i, sycl::kernel_handler h) {
          x[i] = value_at(x[i], h);
        });
      })
      .wait();
}

int main() {
  sycl::queue queue;
  const sycl::context context = queue.get_context();
  using sycl::bundle_state;
  constexpr std::size_t count = 256;
  double *x = sycl::malloc_shared<double>(count, queue);
  const std::array<double, highest + 1> factor = {3, -2, 0.5, 0.25, -0.125, 0.0625, 1};

  auto input = sycl::get_kernel_bundle<horner, bundle_state::input>(context);
  bool right = input.contains_specialization_constants() &&
               input.has_specialization_constant<degree>() &&
               input.get_specialization_constant<degree>() == 1;
  input.set_specialization_constant<factors>(factor);
  std::vector<sycl::kernel_bundle<bundle_state::executable>> bundles;
  for (int top = 0; top <= highest; ++top) {
    input.set_specialization_constant<degree>(top);
    bundles.push_back(sycl::build(input)); // keeps the values of now
  }

  double worst = 0;
  for (int top = 0; top <= highest; ++top) {
    for (std::size_t i = 0; i < count; ++i)
      x[i] = static_cast<double>(i) / count - 0.5;
    evaluate(queue, x, bundles[top], count);
    for (std::size_t i = 0; i < count; ++i) {
      double at = static_cast<double>(i) / count - 0.5, expected = 0;
      for (int power = 0; power <= top; ++power)
        expected += factor[power] * std::pow(at, power);
      worst = std::fmax(worst, std::fabs(x[i] - expected));
    }
    right = right && bundles[top].get_specialization_constant<degree>() == top;
  }
  sycl::free(x, queue);
  right = right && worst < 1e-12;
  std::printf("polynomials of %d degrees: %s\n", highest + 1, right ? "ok" : "wrong");
  return right ? 0 : 1;
}
