// std::complex in a kernel, for float and double, compared with the host's.

#include <sycl/sycl.hpp>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

namespace {

/// Calls `out` with the name and the value of each function.
template <typename Real, typename Output>
void evaluate(std::complex<Real> x, std::complex<Real> y, const Output &out) {
  out("product", x * y);
  out("quotient", x / y);
  out("real quotient", y.real() / x);
  out("sum", -x + y - Real(1));
  out("equal", std::complex<Real>(x == y, x != y));
  out("abs", std::complex<Real>(std::abs(x)));
  out("arg", std::complex<Real>(std::arg(x)));
  out("conj", std::conj(x));
  out("proj", std::proj(x));
  out("exp", std::exp(x));
  out("log", std::log(x));
  out("log10", std::log10(x));
  out("sqrt", std::sqrt(x));
  out("sin", std::sin(x));
  out("cos", std::cos(x));
  out("tan", std::tan(x));
  out("sinh", std::sinh(x));
  out("cosh", std::cosh(x));
  out("tanh", std::tanh(x));
  out("asin", std::asin(x));
  out("acos", std::acos(x));
  out("atan", std::atan(x));
  out("asinh", std::asinh(x));
  out("acosh", std::acosh(x));
  out("atanh", std::atanh(x));
  out("pow", std::pow(x, std::complex<Real>(Real(0.5), Real(-0.25))));
  out("integer pow", std::complex<Real>(std::pow(x, 3)));
  out("norm", std::complex<Real>(std::norm(x)));
  out("polar", std::polar(Real(2), std::arg(x)));
}

/// Whether parts agree: the same special value, or numbers, whose distance is compared apart.
template <typename Real> bool agree(Real got, Real expected) {
  if (std::isnan(expected) || std::isnan(got))
    return std::isnan(got) == std::isnan(expected);
  if (std::isinf(expected) || std::isinf(got))
    return got == expected;
  return true;
}

/// The distance as a multiple of the size and of the type's precision.
template <typename Real> double error(std::complex<Real> got, std::complex<Real> expected) {
  double size = std::hypot(double(expected.real()), double(expected.imag()));
  double apart = std::hypot(double(got.real()) - double(expected.real()),
                            double(got.imag()) - double(expected.imag()));
  if (!std::isfinite(size) || !std::isfinite(apart))
    return 0;
  size = std::fmax(size, double(std::numeric_limits<Real>::min()));
  return apart / size / double(std::numeric_limits<Real>::epsilon());
}

template <typename Real> int compare(sycl::queue &q, const char *type, std::vector<Real> parts) {
  using Complex = std::complex<Real>;
  std::vector<Complex> numbers;
  for (Real re : parts)
    for (Real im : parts)
      numbers.emplace_back(re, im);
  std::vector<Complex> others{{1, 2}, {Real(-0.5), 3}, {Real(1e-30), Real(1e-32)}, {-4, 0}};
  std::vector<const char *> names;
  evaluate<Real>(1, 1, [&](const char *name, auto) { names.push_back(name); });

  std::size_t count = numbers.size(), pairs = count * others.size(), functions = names.size();
  Complex *inputs = sycl::malloc_shared<Complex>(count, q);
  Complex *second = sycl::malloc_shared<Complex>(others.size(), q);
  Complex *results = sycl::malloc_shared<Complex>(pairs * functions, q);
  std::copy(numbers.begin(), numbers.end(), inputs);
  std::copy(others.begin(), others.end(), second);
  q.parallel_for(pairs, [=](sycl::id<1> i) {
     Complex *next = results + i * functions;
     evaluate<Real>(inputs[i % count], second[i / count],
                    [&](const char *, Complex value) { *next++ = value; });
   }).wait();

  int wrong = 0;
  for (std::size_t i = 0; i < pairs; ++i) {
    const Complex *got = results + i * functions;
    Complex x = inputs[i % count], y = second[i / count];
    evaluate<Real>(x, y, [&](const char *name, Complex value) {
      // A power's relative error grows with the logarithm of the result.
      double allowed = std::strstr(name, "pow") ? 512 : 16;
      bool isRight = agree(got->real(), value.real()) && agree(got->imag(), value.imag());
      if ((!isRight || error(*got, value) > allowed) && wrong++ < 10)
        std::printf("%s of %s (%g, %g) and (%g, %g): expected (%g, %g), got (%g, %g)\n", name, type,
                    double(x.real()), double(x.imag()), double(y.real()), double(y.imag()),
                    double(value.real()), double(value.imag()), double(got->real()),
                    double(got->imag()));
      ++got;
    });
  }
  sycl::free(inputs, q);
  sycl::free(second, q);
  sycl::free(results, q);
  return wrong;
}

/// Products and quotients that clang's short form gets wrong.
template <typename Real> int checkSpecialValues(sycl::queue &q) {
  using Complex = std::complex<Real>;
  constexpr Real Infinity = std::numeric_limits<Real>::infinity();
  constexpr Real NaN = std::numeric_limits<Real>::quiet_NaN();
  Complex *z = sycl::malloc_shared<Complex>(6, q);
  z[0] = {Infinity, NaN};
  z[1] = {1, 1};
  z[2] = {0, 0};
  q.single_task([=] {
     z[3] = z[0] * z[1];
     z[4] = z[1] / z[2];
     z[5] = z[1] / Complex(Infinity, Infinity);
   }).wait();
  int wrong = !std::isinf(z[3].real()) && !std::isinf(z[3].imag());
  wrong += !std::isinf(z[4].real()) && !std::isinf(z[4].imag());
  wrong += z[5] != Complex(0, 0);
  sycl::free(z, q);
  return wrong;
}

template <typename Real> int check(sycl::queue &q, const char *type) {
  int wrong = compare<Real>(q, type,
                            {0, Real(-0.0), 1, -1, Real(0.5), Real(-2.25), Real(1.7e-4),
                             Real(30.25), -60, Real(0.9999), Real(88.9), Real(1e15)});
  return wrong + checkSpecialValues<Real>(q);
}

} // namespace

int main() {
  sycl::queue q;
  int wrong = check<float>(q, "float") + check<double>(q, "double");
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
