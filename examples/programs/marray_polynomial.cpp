// A polynomial of marrays: coefficients in a marray of six, and three places at a time, which a vec
// cannot hold without padding. The host evaluates it with the powers of each place.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

using places = sycl::marray<float, 3>;
using coefficients = sycl::marray<float, 6>;

// Horner's rule for the polynomial and its derivative.
static places evaluated(const coefficients &c, const places &x, places &slope) {
  places value(c[c.size() - 1]);
  slope = places(0.0f);
  for (std::size_t i = c.size() - 1; i-- > 0;) {
    slope = sycl::fma(slope, x, value);
    value = sycl::fma(value, x, places(c[i]));
  }
  return value;
}

int main() {
  constexpr std::size_t n = 256;
  static_assert(sizeof(places) == 3 * sizeof(float));
  const coefficients c{1.0f, -3.0f, 0.5f, 2.0f, -1.0f, 0.25f};

  sycl::queue queue;
  std::vector<places> x(n), values(n), slopes(n);
  for (std::size_t i = 0; i < n; ++i)
    x[i] = places(i * 0.01f, -1.0f + i * 0.005f, 1.0f / (i + 1.0f));
  {
    sycl::buffer x_buffer(x), value_buffer(values), slope_buffer(slopes);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor at(x_buffer, handler, sycl::read_only);
      sycl::accessor value(value_buffer, handler, sycl::write_only, sycl::no_init);
      sycl::accessor slope(slope_buffer, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) {
        places derivative;
        value[i] = evaluated(c, at[i], derivative);
        slope[i] = derivative;
      });
    });
  }

  int errors = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < places::size(); ++j) {
      double place = x[i][j], value = c[0], slope = 0, size = std::fabs(c[0]);
      for (std::size_t k = 1; k < c.size(); ++k) {
        double power = std::pow(place, static_cast<double>(k - 1));
        value += c[k] * power * place;
        slope += c[k] * power * static_cast<double>(k);
        size += 6 * std::fabs(c[k] * power);
      }
      errors += std::fabs(values[i][j] - value) > size * 1e-5;
      errors += std::fabs(slopes[i][j] - slope) > size * 1e-5;
    }
  std::printf("polynomial: %d errors\n", errors);
  return errors != 0;
}
