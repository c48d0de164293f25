// Monte Carlo integration: the volume of a ball in four dimensions and its standard error. Each
// work-item has its own sequence of random numbers; two reductions count what falls inside.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

constexpr std::size_t work_items = 4096;
constexpr int draws = 64;

// SplitMix64: a generator whose state is a counter, so that sequences are independent.
class Generator {
public:
  explicit Generator(std::uint64_t seed) : state(seed * 0xd1342543de82ef95u) {}

  float operator()() {
    std::uint64_t bits = state += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return static_cast<float>((bits ^ (bits >> 31)) >> 40) * 0x1p-24f;
  }

private:
  std::uint64_t state;
};

// How many of the draws of a work-item are in the part of the ball where no coordinate is negative.
inline unsigned hits(std::size_t work_item) {
  Generator random(work_item + 1);
  unsigned inside = 0;
  for (int i = 0; i < draws; ++i) {
    float squares = 0;
    for (int dimension = 0; dimension < 4; ++dimension) {
      const float x = random();
      squares = sycl::fma(x, x, squares);
    }
    inside += squares < 1;
  }
  return inside;
}

int main() {
  unsigned expected = 0;
  for (std::size_t i = 0; i < work_items; ++i)
    expected += hits(i);

  sycl::queue queue;
  unsigned *inside = sycl::malloc_host<unsigned>(1, queue);
  *inside = 0;
  std::uint64_t squares = 0;
  {
    sycl::buffer<std::uint64_t> squares_buffer(&squares, 1);
    queue.submit([&](sycl::handler &handler) {
      handler.parallel_for(sycl::nd_range<1>(work_items, 64),
                           sycl::reduction(inside, sycl::plus<unsigned>()),
                           sycl::reduction(squares_buffer, handler, sycl::plus<std::uint64_t>()),
                           [=](sycl::nd_item<1> item, auto &sum, auto &square_sum) {
                             const unsigned own = hits(item.get_global_linear_id());
                             sum += own;
                             square_sum += std::uint64_t(own) * own;
                           });
    });
    queue.wait();
  }

  // The part has a sixteenth of the volume, which is pi squared over two.
  const double mean = static_cast<double>(*inside) / work_items;
  const double variance = static_cast<double>(squares) / work_items - mean * mean;
  const double volume = 16 * mean / draws;
  const double error = 16 * std::sqrt(variance / work_items) / draws;
  const double exact = std::acos(-1.0) * std::acos(-1.0) / 2;
  const bool right = *inside == expected && std::fabs(volume - exact) < 4 * error && error < 0.02;
  std::printf("volume %.2f, error at most %.2f: %s\n", volume, 4 * error, right ? "ok" : "wrong");
  sycl::free(inside, queue);
  return right ? 0 : 1;
}
