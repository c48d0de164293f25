// The price of a European call option by Monte Carlo simulation, with a counter-based generator of
// random numbers: Philox4x32-10 by Salmon et al. encrypts a counter, so each work-item computes the
// random numbers of its own path without any state. The result has to agree with the formula of
// Black and Scholes within its standard error, and the generator with its published test vectors.
#include <sycl/sycl.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>

using block = std::array<std::uint32_t, 4>;
using keys = std::array<std::uint32_t, 2>;

constexpr block philox(block counter, keys key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t(0xD2511F53) * counter[0];
    const std::uint64_t second = std::uint64_t(0xCD9E8D57) * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(first)};
    key = {key[0] + 0x9E3779B9, key[1] + 0xBB67AE85};
  }
  return counter;
}

constexpr bool equal(const block &left, const block &right) {
  return left[0] == right[0] && left[1] == right[1] && left[2] == right[2] && left[3] == right[3];
}

static_assert(equal(philox({0, 0, 0, 0}, {0, 0}),
                    {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
static_assert(equal(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                           {0xa4093822, 0x299f31d0}),
                    {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));

struct Option {
  float price, strike, rate, volatility, years;
};

// The value today of what the option pays for one normally distributed number.
static float payoff(const Option &option, float normal) {
  const float drift = option.rate - 0.5f * option.volatility * option.volatility;
  const float deviation = option.volatility * sycl::sqrt(option.years);
  const float end = option.price * sycl::exp(drift * option.years + deviation * normal);
  return sycl::exp(-option.rate * option.years) * sycl::fmax(end - option.strike, 0.0f);
}

static double black_scholes(const Option &o) {
  const auto distribution = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const double deviation = o.volatility * std::sqrt(double(o.years));
  const double d1 =
      (std::log(double(o.price) / o.strike) + o.rate * o.years) / deviation + 0.5 * deviation;
  return o.price * distribution(d1) -
         o.strike * std::exp(-double(o.rate) * o.years) * distribution(d1 - deviation);
}

int main() {
  constexpr std::size_t items = 8192, blocks = 8, samples = items * blocks * 4;
  const Option option{100.0f, 105.0f, 0.03f, 0.25f, 1.5f};

  sycl::queue queue;
  float *sums = sycl::malloc_shared<float>(2, queue);
  queue
      .parallel_for(sycl::range<1>(items),
                    sycl::reduction(&sums[0], sycl::plus<float>(),
                                    sycl::property::reduction::initialize_to_identity()),
                    sycl::reduction(&sums[1], sycl::plus<float>(),
                                    sycl::property::reduction::initialize_to_identity()),
                    [=](sycl::item<1> item, auto &sum, auto &squares) {
                      for (std::uint32_t i = 0; i < blocks; ++i) {
                        const auto id = static_cast<std::uint32_t>(item.get_linear_id());
                        const block random = philox({id, i, 0, 0}, {2022, 7});
                        // Box and Muller: two uniform numbers become two normally distributed ones.
                        for (int pair = 0; pair < 4; pair += 2) {
                          const float radius = sycl::sqrt(
                              -2 *
                              sycl::log((static_cast<float>(random[pair] >> 8) + 0.5f) * 0x1p-24f));
                          const float turns = static_cast<float>(random[pair + 1] >> 8) * 0x1p-24f;
                          for (float normal :
                               {radius * sycl::cospi(2 * turns), radius * sycl::sinpi(2 * turns)}) {
                            const float value = payoff(option, normal);
                            sum += value;
                            squares += value * value;
                          }
                        }
                      }
                    })
      .wait();
  const double price = sums[0] / samples;
  const double error = std::sqrt((sums[1] / samples - price * price) / samples);
  sycl::free(sums, queue);

  const double expected = black_scholes(option);
  const bool right = error > 0 && error < 0.05 && std::fabs(price - expected) < 4 * error;
  std::printf("option price near %.1f: %s\n", expected, right ? "ok" : "wrong");
  if (!right)
    std::printf("got %g +- %g, expected %g\n", price, error, expected);
  return right ? 0 : 1;
}
