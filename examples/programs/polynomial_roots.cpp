// All roots of polynomials by the method of Durand and Kerner, which improves estimates of all
// roots at once with complex quotients. Each work-item solves one polynomial, whose roots are
// known.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <iostream>
#include <vector>

using Complex = std::complex<float>;

constexpr std::size_t Degree = 5;
constexpr std::size_t Count = 64;

using Roots = std::array<Complex, Degree>;
using Coefficients = std::array<Complex, Degree>; // from the lowest power; the highest is one

Complex value_at(const Coefficients &polynomial, Complex x) {
  Complex value = 1;
  for (std::size_t power = Degree; power > 0; --power)
    value = value * x + polynomial[power - 1];
  return value;
}

Roots solve(const Coefficients &polynomial) {
  Roots roots;
  for (std::size_t i = 0; i < Degree; ++i)
    roots[i] = std::pow(Complex(0.4f, 0.9f), static_cast<float>(i));
  for (int step = 0; step < 60; ++step)
    for (std::size_t i = 0; i < Degree; ++i) {
      Complex product = 1;
      for (std::size_t other = 0; other < Degree; ++other)
        if (other != i)
          product *= roots[i] - roots[other];
      roots[i] -= value_at(polynomial, roots[i]) / product;
    }
  return roots;
}

// Roots on two circles, which differ from polynomial to polynomial.
Roots roots_of(std::size_t number) {
  Roots roots;
  for (std::size_t i = 0; i < Degree; ++i)
    roots[i] = std::polar(i % 2 ? 1.0f : 1.5f, 1.25f * i + 0.1f * number);
  return roots;
}

Coefficients product_of_factors(const Roots &roots) {
  std::array<Complex, Degree + 1> polynomial{};
  polynomial[0] = 1;
  for (std::size_t degree = 0; degree < Degree; ++degree)
    for (std::size_t power = degree + 2; power-- > 0;)
      polynomial[power] =
          (power ? polynomial[power - 1] : Complex(0)) - roots[degree] * polynomial[power];
  Coefficients result;
  std::copy_n(polynomial.begin(), Degree, result.begin());
  return result;
}

int main() {
  sycl::queue q;
  std::vector<Coefficients> polynomials(Count);
  for (std::size_t i = 0; i < Count; ++i)
    polynomials[i] = product_of_factors(roots_of(i));
  std::vector<Roots> found(Count);
  {
    sycl::buffer<Coefficients> input(polynomials);
    sycl::buffer<Roots> output(found);
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(input, h, sycl::read_only);
      sycl::accessor out(output, h, sycl::write_only, sycl::no_init);
      h.parallel_for(Count, [=](sycl::id<1> i) { out[i] = solve(in[i]); });
    });
  }

  std::size_t missing = 0;
  for (std::size_t i = 0; i < Count; ++i)
    for (Complex root : roots_of(i)) {
      auto is_near = [&](Complex each) { return std::abs(each - root) < 1e-3f; };
      missing += std::none_of(found[i].begin(), found[i].end(), is_near);
    }
  std::cout << Count * Degree - missing << " of " << Count * Degree << " roots\n";
  return missing ? 1 : 0;
}
