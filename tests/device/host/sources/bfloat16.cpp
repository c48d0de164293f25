// bfloat16 on the device, compared with a computation in double that searches the nearest number:
// conversions of floats with every upper half and every kind of lower half, and operators and fma
// of all numbers with a sample of others. Prints the numbers of results and of differences.
#include <sycl/ext/oneapi/bfloat16.hpp>
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

using sycl::ext::oneapi::bfloat16;

template <typename To, typename From> static To bits_as(From from) {
  To to;
  static_assert(sizeof(to) == sizeof(from));
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

static double value(unsigned bits) { return bits_as<float>(std::uint32_t(bits << 16)); }

// The bits of the number nearest to a value, of two the even one; negative numbers by symmetry.
// `rest` is what the value lacks, less than its last bit.
static unsigned nearest(double exact, double rest = 0) {
  if (std::isnan(exact))
    return 0x7fc0;
  unsigned sign = std::signbit(exact) ? 0x8000 : 0;
  rest = sign ? -rest : rest;
  exact = std::fabs(exact);
  unsigned low = 0, high = 0x7f80; // numbers grow with their bits
  while (low < high) {
    unsigned middle = (low + high + 1) / 2;
    if (value(middle) <= exact)
      low = middle;
    else
      high = middle - 1;
  }
  if (low == 0x7f80)
    return sign | low;
  // Beyond the largest number, infinity counts as the next power of two.
  double next = low == 0x7f7f ? std::ldexp(1.0, 128) : value(low + 1);
  double down = exact - value(low), up = next - exact;
  bool is_lower = down < up || (down == up && (rest < 0 || (rest == 0 && low % 2 == 0)));
  return sign | (is_lower ? low : low + 1);
}

static bool same(unsigned left, unsigned right) {
  return left == right || (std::isnan(value(left)) && std::isnan(value(right)));
}

int main() {
  sycl::queue queue;
  const std::vector<unsigned> lower = {0, 1, 0x1234, 0x7fff, 0x8000, 0x8001, 0xc000, 0xffff};
  const std::vector<unsigned> sample = {0x0000, 0x8000, 0x3f80, 0xbf81, 0x3eab, 0x4049, 0x7f7f,
                                        0xff80, 0x0001, 0x80ff, 0x4b01, 0xb3a7, 0x3fff, 0x7fc0};
  constexpr std::size_t all = 65536;
  constexpr int operations = 5;
  std::vector<std::uint16_t> converted(all * lower.size());
  std::vector<std::uint16_t> results(all * sample.size() * operations);
  {
    sycl::buffer lower_buffer(lower), sample_buffer(sample);
    sycl::buffer converted_buffer(converted), result_buffer(results);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor in(lower_buffer, handler, sycl::read_only);
      sycl::accessor out(converted_buffer, handler, sycl::write_only);
      handler.parallel_for(converted.size(), [=](std::size_t i) {
        auto bits = static_cast<std::uint32_t>(i % all << 16 | in[i / all]);
        out[i] = sycl::bit_cast<std::uint16_t>(bfloat16(sycl::bit_cast<float>(bits)));
      });
    });
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor in(sample_buffer, handler, sycl::read_only);
      sycl::accessor out(result_buffer, handler, sycl::write_only);
      handler.parallel_for(all * sample.size(), [=](std::size_t i) {
        auto x = sycl::bit_cast<bfloat16>(static_cast<std::uint16_t>(i % all));
        auto y = sycl::bit_cast<bfloat16>(static_cast<std::uint16_t>(in[i / all]));
        bfloat16 made[operations] = {x + y, x - y, x * y, x / y,
                                     sycl::ext::oneapi::fma(x, y, bfloat16(0x1p-9f))};
        for (int j = 0; j < operations; ++j)
          out[i * operations + j] = sycl::bit_cast<std::uint16_t>(made[j]);
      });
    });
  }

  std::size_t wrong_conversions = 0, wrong_results[operations] = {};
  for (std::size_t i = 0; i < converted.size(); ++i) {
    auto bits = static_cast<std::uint32_t>(i % all << 16 | lower[i / all]);
    wrong_conversions += !same(converted[i], nearest(bits_as<float>(bits)));
  }
  for (std::size_t i = 0; i < all * sample.size(); ++i) {
    double x = value(i % all), y = value(sample[i / all]);
    // The operators round to float first; fma does not.
    double exact[operations] = {float(x + y), float(x - y), float(x * y), float(x / y),
                                x * y + 0x1p-9};
    double part = exact[4] - x * y;
    double rest = (x * y - (exact[4] - part)) + (0x1p-9 - part);
    for (int j = 0; j < operations; ++j)
      wrong_results[j] += !same(results[i * operations + j], nearest(exact[j], j == 4 ? rest : 0));
  }
  std::printf("conversions %zu, operators %zu %zu %zu %zu, fma %zu\n", wrong_conversions,
              wrong_results[0], wrong_results[1], wrong_results[2], wrong_results[3],
              wrong_results[4]);
}
