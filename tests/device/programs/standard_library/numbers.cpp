// Every function of <cmath> in a kernel, for float and double, compared with the host's.

#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace {

// Functions without a name in std.
float powerOfTen(float x) { return __builtin_exp10f(x); }
double powerOfTen(double x) { return __builtin_exp10(x); }
float toEven(float x) { return __builtin_roundevenf(x); }
double toEven(double x) { return __builtin_roundeven(x); }
float cube(float x) { return __builtin_powif(x, -3); }
double cube(double x) { return __builtin_powi(x, -3); }
float sineAndCosine(float x) {
  float sine, cosine;
  __builtin_sincosf(x, &sine, &cosine);
  return sine * cosine;
}
double sineAndCosine(double x) {
  double sine, cosine;
  sincos(x, &sine, &cosine);
  return sine * cosine;
}
float rootInC(float x) { return sqrtf(x) + fabsf(x) + expm1f(x); }
double rootInC(double x) { return ::sqrt(x) + ::fabs(x) + ::expm1(x); }

/// Whether the result of a conversion to an integer is defined.
template <typename Real> bool fits(Real x) { return std::fabs(x) < Real(1e9); }

/// Calls `out` with the name and the value of each function.
template <typename Real, typename Output> void evaluate(Real x, Real y, const Output &out) {
  int n = 0;
  Real whole = 0;
  out("acos", std::acos(x));
  out("acosh", std::acosh(x));
  out("asin", std::asin(x));
  out("asinh", std::asinh(x));
  out("atan", std::atan(x));
  out("atan2", std::atan2(x, y));
  out("atanh", std::atanh(x));
  out("cbrt", std::cbrt(x));
  out("ceil", std::ceil(x));
  out("copysign", std::copysign(x, y));
  out("cos", std::cos(x));
  out("cosh", std::cosh(x));
  out("erf", std::erf(x));
  out("erfc", std::erfc(x));
  out("exp", std::exp(x));
  out("exp2", std::exp2(x));
  out("expm1", std::expm1(x));
  out("fabs", std::fabs(x));
  out("abs", std::abs(x));
  out("fdim", std::fdim(x, y));
  out("floor", std::floor(x));
  out("fma", std::fma(x, y, x));
  out("fmax", std::fmax(x, y));
  out("fmin", std::fmin(x, y));
  out("fmod", std::fmod(x, y));
  out("frexp", std::frexp(x, &n));
  out("frexp's exponent", Real(n));
  out("hypot", std::hypot(x, y));
  out("hypot of three", std::hypot(x, y, x));
  out("ilogb", Real(std::ilogb(x)));
  out("ldexp", std::ldexp(x, 7));
  out("lgamma", std::lgamma(x));
  out("log", std::log(x));
  out("log10", std::log10(x));
  out("log1p", std::log1p(x));
  out("log2", std::log2(x));
  out("logb", std::logb(x));
  out("llrint", fits(x) ? Real(std::llrint(x)) : x);
  out("llround", fits(x) ? Real(std::llround(x)) : x);
  out("lrint", fits(x) ? Real(std::lrint(x)) : x);
  out("lround", fits(x) ? Real(std::lround(x)) : x);
  out("modf", std::modf(x, &whole));
  out("modf's integer", whole);
  out("nearbyint", std::nearbyint(x));
  out("nextafter", std::nextafter(x, y));
  out("pow", std::pow(x, y));
  out("pow of an integer", Real(std::pow(x, 3)));
  out("remainder", std::remainder(x, y));
  out("remquo", std::remquo(x, y, &n));
  // Only three bits of the quotient are specified.
  out("remquo's quotient", std::isfinite(x) && !std::isnan(y) && y != 0 ? Real(n & 7) : Real(0));
  out("rint", std::rint(x));
  out("round", std::round(x));
  out("scalbln", std::scalbln(x, 5L));
  out("scalbn", std::scalbn(x, -5));
  out("sin", std::sin(x));
  out("sinh", std::sinh(x));
  out("sqrt", std::sqrt(x));
  out("tan", std::tan(x));
  out("tanh", std::tanh(x));
  out("tgamma", std::tgamma(x));
  out("trunc", std::trunc(x));
  out("isfinite", std::isfinite(x));
  out("isinf", std::isinf(x));
  out("isnan", std::isnan(x));
  out("isnormal", std::isnormal(x));
  out("signbit", std::signbit(x));
  out("fpclassify", std::fpclassify(x));
  out("isgreater", std::isgreater(x, y));
  out("isgreaterequal", std::isgreaterequal(x, y));
  out("isless", std::isless(x, y));
  out("islessequal", std::islessequal(x, y));
  out("islessgreater", std::islessgreater(x, y));
  out("isunordered", std::isunordered(x, y));
  out("nan", std::isnan(std::nan("1")) && std::isnan(std::nanf("")));
  out("of an integer", Real(std::sqrt(fits(x) ? int(x) & 255 : 0)));
  out("exp10", powerOfTen(x));
  out("roundeven", toEven(x));
  out("powi", cube(x));
  out("sincos", sineAndCosine(x));
  out("C's names", rootInC(x));
}

/// The distance of two results in units in the last place; infinity for different special values.
template <typename Real> double distance(Real got, Real expected) {
  using Limits = std::numeric_limits<Real>;
  constexpr double Never = std::numeric_limits<double>::infinity();
  if (std::isnan(got) || std::isnan(expected))
    return std::isnan(got) && std::isnan(expected) ? 0 : Never;
  if (got == expected)
    return std::signbit(got) == std::signbit(expected) ? 0 : Never;
  if (std::isinf(got) || std::isinf(expected))
    return Never;
  int exponent;
  std::frexp(std::fmax(std::fabs(expected), Limits::min()), &exponent);
  return std::fabs(double(got) - double(expected)) / std::ldexp(1.0, exponent - Limits::digits);
}

template <typename Real> std::vector<Real> operands() {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> values;
  for (double each : {0.0, 1.0, 0.5, 1.5, 2.0, 2.5, 3.7, 10.0, 1e-3, 1e-7, 0.1, 0.9999, 1.0001,
                      30.3, 88.1, 170.2, 1e5, 1e8, 1e20}) {
    values.push_back(Real(each));
    values.push_back(-Real(each));
  }
  for (Real each : {Limits::max(), Limits::min(), Limits::min() / 4, Limits::denorm_min(),
                    Limits::infinity(), Limits::quiet_NaN()}) {
    values.push_back(each);
    values.push_back(-each);
  }
  return values;
}

/// Compares all functions on all pairs of operands; SYCL allows 16 units for the least precise.
template <typename Real> int compare(sycl::queue &q, const char *type) {
  std::vector<Real> values = operands<Real>();
  std::vector<const char *> names;
  evaluate<Real>(1, 1, [&](const char *name, auto) { names.push_back(name); });
  std::size_t count = values.size(), functions = names.size();
  Real *inputs = sycl::malloc_shared<Real>(count, q);
  Real *results = sycl::malloc_shared<Real>(count * count * functions, q);
  std::copy(values.begin(), values.end(), inputs);
  q.parallel_for(count * count, [=](sycl::id<1> i) {
     Real *next = results + i * functions;
     evaluate<Real>(inputs[i / count], inputs[i % count],
                    [&](const char *, auto value) { *next++ = Real(value); });
   }).wait();

  int wrong = 0;
  for (std::size_t i = 0; i < count * count; ++i) {
    volatile Real x = values[i / count], y = values[i % count];
    const Real *got = results + i * functions;
    evaluate<Real>(x, y, [&](const char *name, auto value) {
      if (double apart = distance(*got, Real(value)); apart > 8) {
        if (wrong++ < 10)
          std::printf("%s(%g, %g) of %s: expected %g, got %g\n", name, double(x), double(y), type,
                      double(value), double(*got));
      }
      ++got;
    });
  }
  sycl::free(inputs, q);
  sycl::free(results, q);
  return wrong;
}

} // namespace

int main() {
  sycl::queue q;
  int wrong = compare<float>(q, "float") + compare<double>(q, "double");
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
