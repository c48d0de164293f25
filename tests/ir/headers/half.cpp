// half: everything here is decided while compiling.
#include <sycl/half.hpp>

using sycl::half;

template <typename T, typename U> constexpr bool same = std::is_same_v<T, U>;

static_assert(same<half, sycl::detail::half_impl::half> && sizeof(half) == 2 && alignof(half) == 2);
static_assert(std::is_trivial_v<half> && std::is_standard_layout_v<half>);

// A wider floating-point operand sets the result's type, an integer does not.
constexpr half one = 1;
static_assert(same<decltype(one + one), half> && same<decltype(one + 1), half>);
static_assert(same<decltype(1.0f * one), float> && same<decltype(one / 2.0), double>);

static_assert(one + one == 2 && one - 3 == -2 && 3.0f * one == 3.0f && one / 2.0 == 0.5);
static_assert(one < 1.5f && 2 > one && one != 1.25 && one <= one && -one < 0);
static_assert(static_cast<float>(half(0.1f)) != 0.1f && static_cast<int>(half(2.75)) == 2);
// 2049 lies between two halves: it is rounded once, to even.
static_assert(half(2049) == 2048 && half(2051ull) == 2052);

constexpr half changed() {
  half h = 2;
  h += 1;
  h *= half(1.5f);
  h -= 0.5f;
  h /= 2;
  ++h;
  h--;
  return h;
}
static_assert(changed() == 2);

using limits = std::numeric_limits<half>;
static_assert(limits::is_specialized && limits::digits == 11 && limits::max() == 65504);
static_assert(limits::epsilon() == 0.0009765625f && limits::lowest() == -limits::max());
static_assert(limits::infinity() > limits::max() && limits::quiet_NaN() != limits::quiet_NaN());
