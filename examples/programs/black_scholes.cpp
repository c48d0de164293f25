// Prices of European options by the formula of Black and Scholes, with std::erf, std::log and
// std::exp in a kernel, checked by put-call parity and by known prices.
#include <sycl/sycl.hpp>

#include <cmath>
#include <iostream>
#include <vector>

struct Option {
  float spot, strike, years;
};

struct Prices {
  float call, put;
};

constexpr float Rate = 0.05f;
constexpr float Volatility = 0.2f;

float normal_distribution(float x) { return 0.5f * (1 + std::erf(x / std::sqrt(2.0f))); }

Prices prices_of(const Option &option) {
  float deviation = Volatility * std::sqrt(option.years);
  float drift = (Rate + 0.5f * Volatility * Volatility) * option.years;
  float d1 = (std::log(option.spot / option.strike) + drift) / deviation;
  float d2 = d1 - deviation;
  float discounted = option.strike * std::exp(-Rate * option.years);
  return {option.spot * normal_distribution(d1) - discounted * normal_distribution(d2),
          discounted * normal_distribution(-d2) - option.spot * normal_distribution(-d1)};
}

int main() {
  std::vector<Option> options;
  for (int spot = 60; spot <= 140; spot += 2)
    for (int quarters = 1; quarters <= 12; ++quarters)
      options.push_back({static_cast<float>(spot), 100.0f, 0.25f * quarters});
  std::vector<Prices> prices(options.size());

  sycl::queue q;
  {
    sycl::buffer<Option> input(options);
    sycl::buffer<Prices> output(prices);
    q.submit([&](sycl::handler &h) {
      sycl::accessor in(input, h, sycl::read_only);
      sycl::accessor out(output, h, sycl::write_only, sycl::no_init);
      h.parallel_for(options.size(), [=](sycl::id<1> i) { out[i] = prices_of(in[i]); });
    });
  }

  int wrong = 0;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Option &option = options[i];
    // A call and the discounted strike are worth as much as a put and the share.
    float discounted = option.strike * std::exp(-Rate * option.years);
    if (std::abs(prices[i].call + discounted - prices[i].put - option.spot) > 1e-3f)
      ++wrong;
    // The textbook's example: one year, at the money.
    bool is_known = option.spot == 100 && option.years == 1;
    if (is_known &&
        (std::abs(prices[i].call - 10.4506f) > 1e-3f || std::abs(prices[i].put - 5.5735f) > 1e-3f))
      ++wrong;
  }
  std::cout << options.size() << " options, " << wrong << " errors\n";
  return wrong ? 1 : 0;
}
