// <complex>: products and quotients, for which clang calls functions of its support library, and
// the functions of C's <complex.h>, which libstdc++ calls. The results for infinities, NaN and
// signed zeros are those of annex G of the C standard.

#include "library.h"

#include <limits>

namespace {

template <typename Real> struct Complex {
  Real re;
  Real im;
};

template <typename Real> constexpr Real Infinity = std::numeric_limits<Real>::infinity();
template <typename Real> constexpr Real NaN = std::numeric_limits<Real>::quiet_NaN();
template <typename Real> constexpr Real Pi = static_cast<Real>(3.14159265358979323846);
template <typename Real> constexpr Real Ln2 = static_cast<Real>(0.69314718055994530942);

/// Beyond this, squares absorb one.
template <typename Real> constexpr Real Large = 1 / std::numeric_limits<Real>::epsilon();

template <typename Real> Real zeroLike(Real x) { return sycl::copysign(Real(0), x); }
template <typename Real> Real infinityLike(Real x) { return sycl::copysign(Infinity<Real>, x); }

/// One for infinity and otherwise zero, with the sign of the number: an infinite operand's
/// direction.
template <typename Real> Real direction(Real x) {
  return sycl::copysign(sycl::isinf(x) ? Real(1) : Real(0), x);
}

template <typename Real> Real withoutNaN(Real x) { return sycl::isnan(x) ? zeroLike(x) : x; }

// Products and quotients.

/// Repairs a product whose parts are both NaN although an operand is infinite or a partial product
/// has overflown.
template <typename Real> Complex<Real> product(Real a, Real b, Real c, Real d) {
  Real ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  Real re = ac - bd, im = ad + bc;
  if (!sycl::isnan(re) || !sycl::isnan(im))
    return {re, im};
  bool isInfinite = false;
  if (sycl::isinf(a) || sycl::isinf(b)) {
    a = direction(a), b = direction(b), c = withoutNaN(c), d = withoutNaN(d);
    isInfinite = true;
  }
  if (sycl::isinf(c) || sycl::isinf(d)) {
    c = direction(c), d = direction(d), a = withoutNaN(a), b = withoutNaN(b);
    isInfinite = true;
  }
  if (!isInfinite && (sycl::isinf(ac) || sycl::isinf(bd) || sycl::isinf(ad) || sycl::isinf(bc))) {
    a = withoutNaN(a), b = withoutNaN(b), c = withoutNaN(c), d = withoutNaN(d);
    isInfinite = true;
  }
  if (!isInfinite)
    return {re, im};
  return {Infinity<Real> * (a * c - b * d), Infinity<Real> * (a * d + b * c)};
}

/// Scales a complex number to the order of one; returns the power of two by which it was larger.
template <typename Real> int normalize(Real &x, Real &y) {
  Real largest = sycl::fmax(sycl::fabs(x), sycl::fabs(y));
  if (largest == 0 || !sycl::isfinite(x) || !sycl::isfinite(y))
    return 0;
  int power = 0;
  sycl::frexp(largest, &power);
  x = sycl::ldexp(x, -power);
  y = sycl::ldexp(y, -power);
  return power;
}

/// Divides after scaling, so that no square overflows or underflows.
template <typename Real> Complex<Real> quotient(Real a, Real b, Real c, Real d) {
  if (c == 0 && d == 0 && (!sycl::isnan(a) || !sycl::isnan(b)))
    return {infinityLike(c) * a, infinityLike(c) * b};
  int power = normalize(a, b) - normalize(c, d);
  Real norm = c * c + d * d;
  Real re = sycl::ldexp((a * c + b * d) / norm, power);
  Real im = sycl::ldexp((b * c - a * d) / norm, power);
  if (!sycl::isnan(re) || !sycl::isnan(im))
    return {re, im};
  if ((sycl::isinf(a) || sycl::isinf(b)) && sycl::isfinite(c) && sycl::isfinite(d)) {
    a = direction(a), b = direction(b);
    return {Infinity<Real> * (a * c + b * d), Infinity<Real> * (b * c - a * d)};
  }
  if ((sycl::isinf(c) || sycl::isinf(d)) && sycl::isfinite(a) && sycl::isfinite(b)) {
    c = direction(c), d = direction(d);
    return {Real(0) * (a * c + b * d), Real(0) * (b * c - a * d)};
  }
  return {re, im};
}

// Exponential function and logarithm.

/// Returns `factor` times the exponential function of `x`, which alone may overflow.
template <typename Real> Real scaledExp(Real x, Real factor) {
  Real half = sycl::exp(x * Real(0.5));
  return half * factor * half;
}

template <typename Real> Complex<Real> exponential(Complex<Real> z) {
  Real x = z.re, y = z.im;
  if (y == 0)
    return {sycl::exp(x), y};
  if (!sycl::isfinite(y)) {
    if (x == Infinity<Real>)
      return {x, y - y};
    if (x == -Infinity<Real>)
      return {Real(0), zeroLike(y)};
    return {NaN<Real>, NaN<Real>};
  }
  Real sine = sycl::sin(y), cosine = sycl::cos(y);
  if (sycl::isinf(x) || sycl::fabs(x) < 80) {
    Real size = sycl::exp(x);
    return {size * cosine, size * sine};
  }
  return {scaledExp(x, cosine), scaledExp(x, sine)};
}

template <typename Real> Real logOfSize(Real x, Real y) {
  Real a = sycl::fabs(x), b = sycl::fabs(y);
  Real large = a < b ? b : a, small = a < b ? a : b;
  // Near one, the size would lose the digits that its logarithm needs.
  if (large > Real(0.5) && large < 2 && small < 2)
    return sycl::log1p((large - 1) * (large + 1) + small * small) * Real(0.5);
  if (sycl::isfinite(large) && large > 1)
    return sycl::log(sycl::hypot(x * Real(0.5), y * Real(0.5))) + Ln2<Real>;
  return sycl::log(sycl::hypot(x, y));
}

template <typename Real> Complex<Real> logarithm(Complex<Real> z) {
  Real x = z.re, y = z.im;
  return {logOfSize(x, y), sycl::atan2(y, x)};
}

template <typename Real> Complex<Real> squareRoot(Complex<Real> z) {
  Real x = z.re, y = z.im;
  if (x == 0 && y == 0)
    return {Real(0), y};
  if (sycl::isinf(y))
    return {Infinity<Real>, y};
  if (sycl::isinf(x)) {
    Real other = sycl::isnan(y) ? y : zeroLike(y);
    return x > 0 ? Complex<Real>{x, other} : Complex<Real>{sycl::fabs(other), infinityLike(y)};
  }
  if (sycl::isnan(x) || sycl::isnan(y))
    return {NaN<Real>, NaN<Real>};
  // Scaled by an even power of two, so that neither the sum overflows nor small numbers lose
  // digits.
  int power = normalize(x, y);
  if (power % 2) {
    x *= 2, y *= 2;
    --power;
  }
  Real large = sycl::sqrt((sycl::fabs(x) + sycl::hypot(x, y)) * Real(0.5));
  Real small = sycl::fabs(y) / (2 * large);
  large = sycl::ldexp(large, power / 2), small = sycl::ldexp(small, power / 2);
  return x < 0 ? Complex<Real>{small, sycl::copysign(large, y)}
               : Complex<Real>{large, sycl::copysign(small, y)};
}

// Hyperbolic and trigonometric functions.

/// The hyperbolic sine or cosine of `x` times `factor`; both grow like the exponential function.
template <typename Real> Real largeHyperbolic(Real x, Real factor) {
  return scaledExp(sycl::fabs(x), factor * Real(0.5));
}

template <typename Real> Complex<Real> hyperbolicSine(Complex<Real> z) {
  Real x = z.re, y = z.im;
  if (y == 0)
    return {sycl::sinh(x), y};
  if (!sycl::isfinite(y))
    return {x == 0 || sycl::isinf(x) ? x : NaN<Real>, NaN<Real>};
  Real sine = sycl::sin(y), cosine = sycl::cos(y);
  if (sycl::fabs(x) < 40 || !sycl::isfinite(x))
    return {sycl::sinh(x) * cosine, sycl::cosh(x) * sine};
  return {largeHyperbolic(x, sycl::copysign(cosine, x * cosine)), largeHyperbolic(x, sine)};
}

template <typename Real> Complex<Real> hyperbolicCosine(Complex<Real> z) {
  Real x = z.re, y = z.im;
  if (y == 0)
    return {sycl::cosh(x), sycl::isnan(x) ? y : zeroLike(x) * sycl::copysign(Real(1), y)};
  if (!sycl::isfinite(y)) {
    Real im = x == 0 ? zeroLike(x) : NaN<Real>;
    return {sycl::isinf(x) ? Infinity<Real> : NaN<Real>, im};
  }
  Real sine = sycl::sin(y), cosine = sycl::cos(y);
  if (x == 0)
    return {cosine, x * sine};
  if (sycl::fabs(x) < 40 || !sycl::isfinite(x))
    return {sycl::cosh(x) * cosine, sycl::sinh(x) * sine};
  return {largeHyperbolic(x, cosine), largeHyperbolic(x, sycl::copysign(sine, x * sine))};
}

template <typename Real> Complex<Real> hyperbolicTangent(Complex<Real> z) {
  Real x = z.re, y = z.im;
  if (sycl::isinf(x))
    return {sycl::copysign(Real(1), x),
            sycl::isfinite(y) ? zeroLike(sycl::sin(2 * y)) : zeroLike(y)};
  if (y == 0)
    return {sycl::tanh(x), y};
  if (!sycl::isfinite(y))
    return {x == 0 ? x : NaN<Real>, NaN<Real>};
  if (sycl::fabs(x) > 22)
    return {sycl::copysign(Real(1), x),
            4 * sycl::sin(y) * sycl::cos(y) * sycl::exp(-2 * sycl::fabs(x))};
  // Kahan's formula, which does not cancel.
  Real tangent = sycl::tan(y), sine = sycl::sinh(x);
  Real slope = 1 + tangent * tangent, divisor = 1 + slope * sine * sine;
  return {slope * sycl::sqrt(1 + sine * sine) * sine / divisor, tangent / divisor};
}

/// Returns i z. Between this and its inverse, hyperbolic functions become trigonometric ones.
template <typename Real> Complex<Real> turned(Complex<Real> z) { return {-z.im, z.re}; }
template <typename Real> Complex<Real> turnedBack(Complex<Real> z) { return {z.im, -z.re}; }

// Inverse functions.

// Kahan's formulas: they neither cancel nor lose the sign of zero on a branch cut.

template <typename Real> Complex<Real> arcCosine(Complex<Real> z) {
  Real x = z.re, y = z.im;
  if (sycl::isinf(y)) {
    Real angle = sycl::isinf(x) ? (x < 0 ? Real(0.75) : Real(0.25)) * Pi<Real> : Pi<Real> / 2;
    return {sycl::isnan(x) ? x : angle, -y};
  }
  if (sycl::isinf(x)) {
    if (sycl::isnan(y))
      return {y, x};
    return {x < 0 ? Pi<Real> : Real(0), -infinityLike(y)};
  }
  if (sycl::isnan(x) || sycl::isnan(y))
    return {x == 0 ? Pi<Real> / 2 : NaN<Real>, NaN<Real>};
  if (sycl::fabs(x) > Large<Real> || sycl::fabs(y) > Large<Real>)
    return {sycl::atan2(sycl::fabs(y), x), sycl::copysign(logOfSize(x, y) + Ln2<Real>, -y)};
  Complex<Real> below = squareRoot(Complex<Real>{1 - x, -y}),
                above = squareRoot(Complex<Real>{1 + x, y});
  Real re = 2 * sycl::atan2(below.re, above.re);
  Real im = above.re * below.im - above.im * below.re;
  return {re, sycl::asinh(im)};
}

template <typename Real> Complex<Real> arcHyperbolicCosine(Complex<Real> z) {
  Complex<Real> angle = arcCosine(z);
  return {sycl::fabs(angle.im), sycl::copysign(angle.re, z.im)};
}

template <typename Real> Complex<Real> arcHyperbolicSine(Complex<Real> z) {
  Real x = z.re, y = z.im;
  if (sycl::isinf(x)) {
    Real angle = sycl::isinf(y) ? sycl::copysign(Pi<Real> / 4, y) : zeroLike(y);
    return {x, sycl::isnan(y) ? y : angle};
  }
  if (sycl::isinf(y))
    return {infinityLike(x), sycl::isnan(x) ? x : sycl::copysign(Pi<Real> / 2, y)};
  if (sycl::isnan(x) || sycl::isnan(y))
    return {NaN<Real>, y == 0 ? y : NaN<Real>};
  if (sycl::fabs(x) > Large<Real> || sycl::fabs(y) > Large<Real>)
    return {sycl::copysign(logOfSize(x, y) + Ln2<Real>, x), sycl::atan2(y, sycl::fabs(x))};
  // The roots of 1 - i z and 1 + i z.
  Complex<Real> below = squareRoot(Complex<Real>{1 + y, -x}),
                above = squareRoot(Complex<Real>{1 - y, x});
  Real product = below.re * above.re - below.im * above.im;
  Real re = below.re * above.im - below.im * above.re;
  return {sycl::asinh(re), sycl::atan2(y, product)};
}

template <typename Real> Complex<Real> arcHyperbolicTangent(Complex<Real> z) {
  Real x = z.re, y = z.im;
  if (sycl::isinf(x) || sycl::isinf(y))
    return {zeroLike(x), sycl::isnan(y) ? y : sycl::copysign(Pi<Real> / 2, y)};
  if (sycl::isnan(x) || sycl::isnan(y))
    return {x == 0 ? x : NaN<Real>, NaN<Real>};
  Real a = sycl::fabs(x);
  if (a > Large<Real> || sycl::fabs(y) > Large<Real>) {
    // The real part of 1 / z, without overflow.
    Real size = sycl::hypot(x * Real(0.5), y * Real(0.5));
    return {x / size / size * Real(0.25), sycl::copysign(Pi<Real> / 2, y)};
  }
  Real square = y * y, distance = (1 - a) * (1 - a) + square;
  // The square of a small imaginary part may underflow.
  Real re = a == 1 && sycl::fabs(y) * Large<Real> < 1
                ? (Ln2<Real> - sycl::log(sycl::fabs(y))) * Real(0.5)
                : sycl::log1p(4 * a / distance) * Real(0.25);
  Real im = sycl::atan2(2 * y, (1 - a) * (1 + a) - square) * Real(0.5);
  return {sycl::copysign(re, x), im};
}

template <typename Real> Complex<Real> power(Complex<Real> base, Complex<Real> exponent) {
  Complex<Real> log = logarithm(base);
  return exponential(product(exponent.re, exponent.im, log.re, log.im));
}

template <typename Real> Complex<Real> projection(Complex<Real> z) {
  Real x = z.re, y = z.im;
  return sycl::isinf(x) || sycl::isinf(y) ? Complex<Real>{Infinity<Real>, zeroLike(y)} : z;
}

} // namespace

#define DOVETAIL_UNARY(REAL, NAME, RESULT)                                                         \
  DOVETAIL_LIBRARY _Complex REAL NAME(_Complex REAL operand) noexcept {                            \
    Complex<REAL> z{__real__ operand, __imag__ operand};                                           \
    Complex<REAL> result = RESULT;                                                                 \
    return __builtin_complex(result.re, result.im);                                                \
  }
#define DOVETAIL_FOR_TYPE(REAL, LETTER, SUFFIX)                                                    \
  DOVETAIL_LIBRARY _Complex REAL __mul##LETTER##c3(REAL a, REAL b, REAL c, REAL d) noexcept {      \
    Complex<REAL> result = product(a, b, c, d);                                                    \
    return __builtin_complex(result.re, result.im);                                                \
  }                                                                                                \
  DOVETAIL_LIBRARY _Complex REAL __div##LETTER##c3(REAL a, REAL b, REAL c, REAL d) noexcept {      \
    Complex<REAL> result = quotient(a, b, c, d);                                                   \
    return __builtin_complex(result.re, result.im);                                                \
  }                                                                                                \
  DOVETAIL_LIBRARY REAL creal##SUFFIX(_Complex REAL z) noexcept { return __real__ z; }             \
  DOVETAIL_LIBRARY REAL cimag##SUFFIX(_Complex REAL z) noexcept { return __imag__ z; }             \
  DOVETAIL_LIBRARY REAL cabs##SUFFIX(_Complex REAL z) noexcept {                                   \
    return sycl::hypot(__real__ z, __imag__ z);                                                    \
  }                                                                                                \
  DOVETAIL_LIBRARY REAL carg##SUFFIX(_Complex REAL z) noexcept {                                   \
    return sycl::atan2(__imag__ z, __real__ z);                                                    \
  }                                                                                                \
  DOVETAIL_LIBRARY _Complex REAL cpow##SUFFIX(_Complex REAL x, _Complex REAL y) noexcept {         \
    Complex<REAL> result = power<REAL>({__real__ x, __imag__ x}, {__real__ y, __imag__ y});        \
    return __builtin_complex(result.re, result.im);                                                \
  }                                                                                                \
  DOVETAIL_UNARY(REAL, conj##SUFFIX, (Complex<REAL>{z.re, -z.im}))                                 \
  DOVETAIL_UNARY(REAL, cproj##SUFFIX, projection(z))                                               \
  DOVETAIL_UNARY(REAL, cexp##SUFFIX, exponential(z))                                               \
  DOVETAIL_UNARY(REAL, clog##SUFFIX, logarithm(z))                                                 \
  DOVETAIL_UNARY(REAL, csqrt##SUFFIX, squareRoot(z))                                               \
  DOVETAIL_UNARY(REAL, csinh##SUFFIX, hyperbolicSine(z))                                           \
  DOVETAIL_UNARY(REAL, ccosh##SUFFIX, hyperbolicCosine(z))                                         \
  DOVETAIL_UNARY(REAL, ctanh##SUFFIX, hyperbolicTangent(z))                                        \
  DOVETAIL_UNARY(REAL, csin##SUFFIX, turnedBack(hyperbolicSine(turned(z))))                        \
  DOVETAIL_UNARY(REAL, ccos##SUFFIX, hyperbolicCosine(turned(z)))                                  \
  DOVETAIL_UNARY(REAL, ctan##SUFFIX, turnedBack(hyperbolicTangent(turned(z))))                     \
  DOVETAIL_UNARY(REAL, cacos##SUFFIX, arcCosine(z))                                                \
  DOVETAIL_UNARY(REAL, casin##SUFFIX, turnedBack(arcHyperbolicSine(turned(z))))                    \
  DOVETAIL_UNARY(REAL, catan##SUFFIX, turnedBack(arcHyperbolicTangent(turned(z))))                 \
  DOVETAIL_UNARY(REAL, cacosh##SUFFIX, arcHyperbolicCosine(z))                                     \
  DOVETAIL_UNARY(REAL, casinh##SUFFIX, arcHyperbolicSine(z))                                       \
  DOVETAIL_UNARY(REAL, catanh##SUFFIX, arcHyperbolicTangent(z))

DOVETAIL_FOR_TYPE(float, s, f)
DOVETAIL_FOR_TYPE(double, d, )
#undef DOVETAIL_FOR_TYPE
#undef DOVETAIL_UNARY
