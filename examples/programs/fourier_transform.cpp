// A fast Fourier transform with std::complex: each stage is a kernel of butterflies, and the
// result is compared with the sum that defines the transform.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iostream>
#include <vector>

using Complex = std::complex<float>;

constexpr std::size_t Size = 1024;
constexpr float TwoPi = 6.2831853f;

std::size_t reversed_bits(std::size_t index) {
  std::size_t result = 0;
  for (std::size_t bit = 1; bit < Size; bit *= 2)
    result = result * 2 + (index & bit ? 1 : 0);
  return result;
}

std::vector<Complex> transform(sycl::queue &q, const std::vector<Complex> &input) {
  std::vector<Complex> data(Size);
  for (std::size_t i = 0; i < Size; ++i)
    data[reversed_bits(i)] = input[i];
  sycl::buffer<Complex> buffer(data);
  for (std::size_t half = 1; half < Size; half *= 2)
    q.submit([&](sycl::handler &h) {
      sycl::accessor values(buffer, h, sycl::read_write);
      h.parallel_for(Size / 2, [=](sycl::id<1> pair) {
        std::size_t place = pair[0] % half;
        std::size_t low = (pair[0] / half) * 2 * half + place;
        float angle = -TwoPi * static_cast<float>(place) / static_cast<float>(2 * half);
        Complex turned = values[low + half] * std::polar(1.0f, angle);
        Complex sum = values[low] + turned;
        values[low + half] = values[low] - turned;
        values[low] = sum;
      });
    });
  sycl::host_accessor result(buffer, sycl::read_only);
  return {result.begin(), result.end()};
}

std::complex<double> defining_sum(const std::vector<Complex> &input, std::size_t frequency) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < Size; ++i) {
    double turns = static_cast<double>(i * frequency % Size) / Size;
    sum += std::complex<double>(input[i]) * std::polar(1.0, -6.283185307179586 * turns);
  }
  return sum;
}

int main() {
  sycl::queue q;
  std::vector<Complex> input(Size);
  for (std::size_t i = 0; i < Size; ++i) {
    float t = static_cast<float>(i) / Size;
    input[i] = {std::sin(TwoPi * 5 * t) + 0.25f * std::cos(TwoPi * 40 * t), 0.5f * t};
  }
  std::vector<Complex> output = transform(q, input);

  double error = 0;
  for (std::size_t frequency = 0; frequency < Size; ++frequency)
    error = std::max(
        error, std::abs(std::complex<double>(output[frequency]) - defining_sum(input, frequency)));
  bool ok = error < 1e-2;
  std::cout << "Fourier transform of " << Size << " numbers: " << (ok ? "ok" : "wrong") << "\n";
  return ok ? 0 : 1;
}
