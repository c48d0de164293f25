// Memory, strings, integers and algorithms of the standard library in a kernel.

#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#if __cplusplus >= 202002L
#include <bit>
#include <numbers>
#include <span>
#endif

namespace {

constexpr int Capacity = 128;

struct Point {
  int x, y;
  bool operator<(const Point &other) const { return std::tie(x, y) < std::tie(other.x, other.y); }
};

/// Stores results one after the other; the same code runs on the device and on the host.
struct Results {
  long *next;
  template <typename Value> void add(Value value) { *next++ = static_cast<long>(value); }
};

long sign(int order) { return (order > 0) - (order < 0); }

void useMemory(Results &out, char *text, int n) {
  char copy[32];
  std::memset(copy, n, sizeof(copy));
  std::memcpy(copy, text, n);
  std::memmove(copy + 2, copy, n);
  out.add(copy[1]);
  out.add(copy[2]);
  out.add(copy[n + 1]);
  out.add(copy[n + 2]);
  out.add(sign(std::memcmp(copy + 2, text, n)));
  out.add(sign(std::memcmp(copy, text, n)));
  out.add(static_cast<const char *>(std::memchr(text, 'r', n)) - text);
  out.add(std::strlen(text));
  out.add(sign(std::strcmp(text, "quartz!")));
  out.add(sign(std::strncmp(text, "quarry", 4)));
  out.add(std::strchr(text, 'a') - text);
  out.add(std::strrchr(text, 't') - text);
  out.add(std::strstr(text, "rtz") - text);
  out.add(std::strchr(text, 'x') == nullptr);
  std::strcpy(copy, text);
  std::strcat(copy, "ite");
  out.add(std::strlen(copy));
  std::strncpy(copy, "ab", 5);
  out.add(copy[1] + copy[2]);
  out.add(std::string_view(text).find("tz"));
}

void useIntegers(Results &out, int n) {
  out.add(std::abs(-n));
  out.add(std::labs(-long(n)));
  out.add(std::div(n * 10, 3).quot * 100 + std::div(n * 10, 3).rem);
  out.add(std::ldiv(-n * 10, 3).rem);
  out.add(std::lldiv(n * 10LL, -4).quot);
  out.add(__builtin_popcountll(n * 0x123456789LL));
  unsigned _BitInt(128) wide = static_cast<unsigned _BitInt(128)>(n) << 70;
  out.add(static_cast<long>((wide * n / 12345) >> 60));
  out.add(static_cast<long>(wide % 1000003));
  out.add(std::gcd(n * 6, 42));
  out.add(std::lcm(n, 6));
  out.add(std::bitset<40>(n * 77).count());
  out.add(std::numeric_limits<int>::max() - n);
#if __cplusplus >= 202002L
  out.add(std::popcount(unsigned(n)) + std::countl_zero(unsigned(n)) + std::bit_width(unsigned(n)));
  out.add(std::rotl(unsigned(n), 28));
  out.add(std::bit_cast<int>(float(n)));
  out.add(std::midpoint(n, 100));
  out.add(std::lerp(1.0f, float(n), 0.5f) * 8);
  out.add(std::numbers::pi_v<float> * n);
  std::array<int, 4> few{4, 3, 2, 1};
  std::span<int> view(few);
  out.add(view.subspan(1, 2)[0] + view.size());
#endif
}

void useContainers(Results &out, int n) {
  std::array<int, 8> values{5, 3, n, 1, 8, 2, 7, 4};
  out.add(std::accumulate(values.begin(), values.end(), 0));
  out.add(*std::max_element(values.begin(), values.end()));
  std::reverse(values.begin(), values.end());
  std::make_heap(values.begin(), values.end());
  std::sort_heap(values.begin(), values.end());
  out.add(std::is_sorted(values.begin(), values.end()));
  out.add(std::lower_bound(values.begin(), values.end(), 5) - values.begin());
  out.add(std::binary_search(values.begin(), values.end(), 7));
  std::partial_sum(values.begin(), values.end(), values.begin());
  out.add(values.back());
  std::swap(values[0], values[1]);
  out.add(values[0]);
  out.add(std::inner_product(values.begin(), values.end(), values.rbegin(), 0));
  out.add(std::count_if(values.begin(), values.end(), [](int x) { return x % 2; }));
  out.add(std::find(values.begin(), values.end(), 3) - values.begin());
  std::transform(values.begin(), values.end(), values.begin(), std::negate<int>());
  out.add(std::equal(values.begin(), values.end(), values.begin()));
  std::rotate(values.begin(), values.begin() + 2, values.end());
  out.add(values.front());
  out.add(std::clamp(n, 2, 5) + std::min({n, 4, 9}) * 10 + std::max(n, 3) * 100);
  auto [first, second] = std::minmax(n, 4);
  out.add(first * 10 + second);
  std::tuple<int, float, Point> tuple{n, 1.5f, {1, 2}};
  out.add(std::get<0>(tuple) + std::get<1>(tuple) * 2 + std::get<Point>(tuple).y);
  out.add(std::apply([](int a, float b, Point c) { return a + int(b) + c.x; }, tuple));
  std::pair<int, Point> pair{n, {3, 4}};
  out.add(pair.first + pair.second.x);
  out.add(Point{1, 2} < Point{1, 3});
  std::optional<int> maybe;
  out.add(maybe.value_or(n));
  maybe = n + 1;
  out.add(*maybe + maybe.has_value());
  std::variant<int, float> either = 2.5f;
  out.add(either.index() + *std::get_if<float>(&either) * 2);
  out.add(std::invoke(std::plus<>(), n, 2));
  std::chrono::milliseconds time = std::chrono::seconds(n) + std::chrono::milliseconds(5);
  out.add(std::chrono::duration_cast<std::chrono::microseconds>(time).count());
  std::minstd_rand random(n);
  out.add(random() + random());
}

void useAll(long *results, char *text, int n) {
  Results out{results};
  useMemory(out, text, n);
  useIntegers(out, n);
  useContainers(out, n);
}

} // namespace

int main() {
  sycl::queue q;
  long *results = sycl::malloc_shared<long>(Capacity, q);
  char *text = sycl::malloc_shared<char>(16, q);
  std::fill(results, results + Capacity, -1);
  std::strcpy(text, "quartz");
  int *n = sycl::malloc_shared<int>(1, q);
  *n = 6;
  q.single_task([=] { useAll(results, text, *n); }).wait();

  long expected[Capacity];
  std::fill(expected, expected + Capacity, -1);
  useAll(expected, text, 6);
  int wrong = 0;
  for (int i = 0; i < Capacity; ++i)
    if (results[i] != expected[i]) {
      ++wrong;
      std::printf("result %d: expected %ld, got %ld\n", i, expected[i], results[i]);
    }
  std::printf("%d wrong\n", wrong);
  return wrong != 0 || expected[40] == -1;
}
