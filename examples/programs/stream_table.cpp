// Watching an algorithm run: Newton's iterations for a square root, printed by the kernel as a
// table. Manipulators set width, precision and notation. The host repeats the calculation and
// checks the result.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>

constexpr int steps = 6;

// One row of the table. A stream is passed by reference or, as a small object, by value.
void print_row(const sycl::stream &out, int step, float guess, float change) {
  out << sycl::setw(4) << step << " |" << sycl::fixed << sycl::setprecision(6) << sycl::setw(10)
      << guess << " |" << sycl::scientific << sycl::setprecision(1) << sycl::setw(9) << change
      << " |" << sycl::setw(4) << sycl::hex << sycl::showbase << (1 << step) << sycl::dec
      << sycl::noshowbase << sycl::endl;
}

float next(float guess, float number) { return 0.5f * (guess + number / guess); }

int main() {
  sycl::queue queue;
  float *root = sycl::malloc_shared<float>(1, queue);
  const float number = 2.0f;

  queue.submit([&](sycl::handler &handler) {
    sycl::stream out(2048, 128, handler);
    handler.single_task([=] {
      out << "step |     guess |   change | bit\n" << sycl::flush;
      float guess = 3.0f;
      for (int step = 0; step < steps; ++step) {
        float better = next(guess, number);
        print_row(out, step, guess, better - guess);
        guess = better;
      }
      *root = guess;
    });
  });
  queue.wait();

  float expected = 3.0f;
  for (int step = 0; step < steps; ++step)
    expected = next(expected, number);
  bool right = std::fabs(*root - expected) < 1e-6f && std::fabs(*root - std::sqrt(2.0f)) < 1e-6f;
  std::printf("stream table: %s\n", right ? "ok" : "wrong");
  sycl::free(root, queue);
  return !right;
}
