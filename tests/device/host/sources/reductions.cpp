// Reductions in all their forms. Prints the forms that give wrong results, then "done".
#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

template <typename Type> void expect(const char *what, const Type &got, const Type &want) {
  if (!(got == want))
    std::printf("wrong: %s\n", what);
}

// Greatest value and its place; no identity is known.
struct place {
  int value;
  unsigned index;
  friend bool operator==(const place &left, const place &right) {
    return left.value == right.value && left.index == right.index;
  }
};
struct greater_place {
  place operator()(const place &left, const place &right) const {
    if (left.value != right.value)
      return left.value > right.value ? left : right;
    return left.index < right.index ? left : right;
  }
};

// Without a default constructor and an assignment.
struct constant {
  explicit constant(int value) : value(value) {}
  const int value;
};

// Larger than what the algorithms over work-groups take.
struct large {
  int numbers[200];
};

static int number(std::size_t i) { return static_cast<int>(i * 7919 % 1009) - 500; }

static sycl::queue q;

template <typename Type> Type *shared(std::size_t count) {
  return sycl::malloc_shared<Type>(count, q);
}

// Sizes of all kinds, as values of an int and a place.
static void sizes() {
  int *sum = shared<int>(1);
  auto *best = shared<place>(1);
  for (std::size_t size : {0, 1, 2, 15, 16, 17, 63, 64, 100, 1009, 4096, 65537, 1000003}) {
    int want = 3;
    place greatest = {-1000, 0};
    for (std::size_t i = 0; i < size; ++i) {
      want += number(i);
      greatest = greater_place()(greatest, {number(i), static_cast<unsigned>(i)});
    }
    *sum = 3;
    *best = {-1000, 0};
    q.parallel_for(sycl::range<1>(size), sycl::reduction(sum, sycl::plus<int>()),
                   sycl::reduction(best, greater_place()),
                   [=](sycl::id<1> i, auto &s, auto &b) {
                     s += number(i);
                     b.combine({number(i), static_cast<unsigned>(i)});
                   })
        .wait();
    expect("sum over a range", *sum, want);
    expect("place over a range", *best, greatest);
    for (std::size_t local : {1, 5, 16, 64, 256}) {
      if (size / local > 10000)
        continue;
      *sum = 3;
      *best = {-1000, 0};
      const std::size_t whole = (size + local - 1) / local * local;
      q.parallel_for(sycl::nd_range<1>(whole, local), sycl::reduction(sum, sycl::plus<int>()),
                     sycl::reduction(best, greater_place()),
                     [=](sycl::nd_item<1> item, auto &s, auto &b) {
                       const std::size_t i = item.get_global_id(0);
                       if (i >= size)
                         return; // this work-item contributes nothing
                       s += number(i);
                       b.combine({number(i), static_cast<unsigned>(i)});
                     })
          .wait();
      expect("sum over an nd_range", *sum, want);
      expect("place over an nd_range", *best, greatest);
    }
  }
  // Nothing to do, and the earlier value is not included.
  *sum = 3;
  const auto replaces = sycl::property::reduction::initialize_to_identity();
  q.parallel_for(sycl::range<2>(0, 5), sycl::reduction(sum, sycl::minimum<>(), replaces),
                 [=](sycl::item<2>, auto &) {})
      .wait();
  expect("identity of an empty range", *sum, std::numeric_limits<int>::max());
  q.parallel_for(sycl::nd_range<1>(0, 8), sycl::reduction(sum, sycl::plus<>(), {replaces}),
                 [=](sycl::nd_item<1>, auto &s) { s += 1; })
      .wait();
  expect("identity of an empty nd_range", *sum, 0);
}

static void dimensions() {
  long *sum = shared<long>(1), *count = shared<long>(1);
  auto check = [&](const char *what, long want_sum, long want_count) {
    expect(what, *sum, want_sum);
    expect(what, *count, want_count);
    *sum = *count = 0;
  };
  *sum = *count = 0;
  auto plus = [=](long *where) { return sycl::reduction(where, sycl::plus<long>()); };
  for (auto size : {sycl::range<2>(1, 1), sycl::range<2>(3, 1000), sycl::range<2>(1000, 3),
                    sycl::range<2>(37, 113), sycl::range<2>(500, 500)}) {
    long want = 0;
    for (std::size_t i = 0; i < size[0]; ++i)
      for (std::size_t j = 0; j < size[1]; ++j)
        want += static_cast<long>(i * 3 + j);
    q.parallel_for(size, sycl::ext::oneapi::reduction(sum, sycl::ext::oneapi::plus<long>()),
                   plus(count), [=](sycl::item<2> item, auto &s, auto &c) {
                     s += item[0] * 3 + item[1];
                     ++c;
                   });
    q.wait();
    check("two dimensions", want, static_cast<long>(size.size()));
  }
  for (auto size : {sycl::range<3>(1, 1, 1), sycl::range<3>(2, 3, 5), sycl::range<3>(70, 1, 9),
                    sycl::range<3>(31, 17, 65)}) {
    long want = 0;
    for (std::size_t i = 0; i < size[0]; ++i)
      for (std::size_t j = 0; j < size[1]; ++j)
        for (std::size_t k = 0; k < size[2]; ++k)
          want += static_cast<long>(i * 9 + j * 3 + k);
    q.parallel_for(size, plus(sum), plus(count), [=](auto item, auto &s, auto &c) {
      s += item.get_id(0) * 9 + item.get_id(1) * 3 + item.get_id(2);
      c++;
    });
    q.wait();
    check("three dimensions", want, static_cast<long>(size.size()));
  }
  q.parallel_for(sycl::nd_range<3>({4, 6, 10}, {2, 3, 5}), plus(sum), plus(count),
                 [=](sycl::nd_item<3> item, auto &s, auto &c) {
                   s += static_cast<long>(item.get_global_linear_id());
                   c += static_cast<long>(item.get_local_linear_id() == 29);
                 });
  q.wait();
  check("nd_range of three dimensions", 240 * 239 / 2, 8);
}

template <typename Type, typename Operation>
static void operation(const char *what, Operation combine, Type first) {
  const auto value = [](std::size_t i) { return static_cast<Type>(i % 5 + 1); };
  Type want = first;
  for (std::size_t i = 0; i < 50; ++i)
    want = static_cast<Type>(combine(want, value(i)));
  Type *result = shared<Type>(1);
  *result = first;
  q.parallel_for(50, sycl::reduction(result, combine), [=](sycl::id<1> i, auto &sum) {
     sum.combine(value(i));
   }).wait();
  expect(what, *result, want);
}

static void operations() {
  operation<unsigned>("multiplies", sycl::multiplies<>(), 3);
  operation<long>("bit_and", sycl::bit_and<long>(), -1);
  operation<unsigned char>("bit_or", sycl::bit_or<>(), 0);
  operation<short>("bit_xor", sycl::bit_xor<short>(), 7);
  operation<bool>("logical_and", sycl::logical_and<bool>(), true);
  operation<bool>("logical_or", sycl::logical_or<>(), false);
  operation<float>("minimum", sycl::minimum<>(), 3);
  operation<unsigned long long>("maximum", sycl::maximum<unsigned long long>(), 3);
  operation<float>("std::plus", std::plus<>(), 0.5f);
  operation<short>("std::plus of short", std::plus<>(), 1);
  operation<unsigned>("std::multiplies", std::multiplies<unsigned>(), 3);
  operation<int>("std::bit_and", std::bit_and<>(), -1);
  operation<int>("std::bit_or", std::bit_or<int>(), 0);
  operation<int>("std::bit_xor", std::bit_xor<>(), 0);
  operation<bool>("std::logical_and", std::logical_and<bool>(), true);
  operation<int>("logical_or without identity", std::logical_or<>(), 0);
  operation<int>("ext::oneapi::minimum", sycl::ext::oneapi::minimum<>(), 3);
  operation<sycl::half>("half", sycl::plus<>(), sycl::half(1));
}

static void types() {
  auto *total = shared<std::complex<float>>(1);
  *total = {1, 2};
  q.parallel_for(100, sycl::reduction(total, std::complex<float>(0, 0), std::plus<>()),
                 [=](int i, auto &sum) { sum += std::complex<float>(i, -i); });
  auto *pair = shared<std::pair<int, double>>(1);
  *pair = {50, 0};
  q.parallel_for(
      100,
      sycl::reduction(pair,
                      [](const std::pair<int, double> &left, const std::pair<int, double> &right) {
                        return right.first < left.first ? right : left;
                      }),
      [=](std::size_t i, auto &least) {
        least.combine({static_cast<int>(i * 37 % 100) - 10, i / 2.0});
      });
  auto *vector = shared<sycl::vec<int, 4>>(1);
  *vector = {1, 2, 3, 4};
  q.parallel_for(1000, sycl::reduction(vector, sycl::plus<>()),
                 [=](sycl::item<1> i, auto &sum) { sum += sycl::vec<int, 4>(1, 0, i, 2); });
  auto *product = shared<constant>(1);
  new (product) constant(1);
  auto *whole = shared<large>(1);
  std::fill_n(whole->numbers, 200, 1);
  auto add = [](const large &left, const large &right) {
    large sum;
    for (int i = 0; i < 200; ++i)
      sum.numbers[i] = left.numbers[i] + right.numbers[i];
    return sum;
  };
  for (std::size_t local : {4, 32})
    q.parallel_for(sycl::nd_range<1>(32, local), sycl::reduction(whole, add),
                   [=](sycl::nd_item<1> item, auto &sum) {
                     large own;
                     for (int i = 0; i < 200; ++i)
                       own.numbers[i] = i + static_cast<int>(item.get_global_id(0));
                     sum.combine(own);
                   })
        .wait();
  q.wait();
  expect("complex numbers", *total, std::complex<float>(4951, -4948));
  expect("pairs", *pair, std::pair<int, double>(-10, 0));
  expect("vectors", (*vector)[0] + (*vector)[1] + (*vector)[2] + (*vector)[3],
         1001 + 2 + 499503 + 2004);
  expect("large values", whole->numbers[199], 1 + 2 * (32 * 199 + 31 * 16));
}

static void spans() {
  int *bins = shared<int>(40);
  std::fill_n(bins, 40, 5);
  sycl::span<int, 10> tens(bins, 10), others(bins + 10, 10);
  const auto replaces = sycl::property::reduction::initialize_to_identity();
  q.parallel_for(1000, sycl::reduction(tens, sycl::plus<>()),
                 sycl::reduction(others, sycl::plus<>(), replaces),
                 [=](sycl::id<1> i, auto &ten, auto &other) {
                   ++ten[i % 10];
                   other[i % 3] += static_cast<int>(i);
                 })
      .wait();
  const int sums[3] = {166833, 166167, 166500};
  bool right = true;
  for (int i = 0; i < 10; ++i)
    right = right && tens[i] == 105 && others[i] == (i < 3 ? sums[i] : 0);
  expect("spans over a range", right, true);
  // Without an identity: elements that get no contribution keep their values.
  sycl::span<int, 20> last(bins + 20, 20);
  q.parallel_for(
       sycl::nd_range<2>({16, 12}, {4, 6}),
       sycl::reduction(last, [](int left, int right) { return left > right ? left : right; }),
       [=](sycl::nd_item<2> item, auto &greatest) {
         static_assert(std::remove_reference_t<decltype(greatest)>::dimensions == 1);
         const int i = static_cast<int>(item.get_global_linear_id());
         if (i % 20 < 15)
           greatest[i % 20].combine(i);
       })
      .wait();
  right = true;
  for (int i = 0; i < 20; ++i)
    right = right && last[i] == (i < 12 ? 180 + i : i < 15 ? 160 + i : 5);
  expect("spans over an nd_range", right, true);
}

class named;
class named_with_properties;

static void forms() {
  namespace properties = sycl::ext::oneapi::experimental;
  int *device = sycl::malloc_device<int>(1, q), *host = sycl::malloc_host<int>(1, q);
  sycl::event filled = q.fill(device, 10, 1);
  sycl::event one =
      q.parallel_for<named>(sycl::range<1>(100), filled, sycl::reduction(device, sycl::plus<>()),
                            [=](sycl::id<1>, auto &sum) { ++sum; });
  sycl::event two = q.parallel_for<named_with_properties>(
      sycl::nd_range<1>(64, 8), std::vector<sycl::event>{one},
      properties::properties(properties::sub_group_size<8>),
      sycl::reduction(device, 0, sycl::plus<int>()), [=](sycl::nd_item<1> item, auto &sum) {
        using reducer = std::remove_reference_t<decltype(sum)>;
        static_assert(reducer::dimensions == 0 && !std::is_copy_constructible_v<reducer>);
        static_assert(std::is_same_v<typename reducer::value_type, int>);
        static_assert(std::is_same_v<typename reducer::binary_operation, sycl::plus<int>>);
        sum.combine(1).combine(sum.identity());
        sum += static_cast<int>(item.get_sub_group().get_local_linear_range());
      });
  q.copy(device, host, 1, two).wait();
  expect("device memory", *host, 10 + 100 + 64 + 64 * 8);

  *host = 1;
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> local(8, h);
     auto into = sycl::reduction(host, sycl::bit_or<>());
     h.parallel_for(sycl::nd_range<1>(8, 8), into, [=](sycl::nd_item<1> item, auto &bits) {
       local[item.get_local_id()] = 2 << item.get_local_id(0);
       sycl::group_barrier(item.get_group());
       bits |= local[(item.get_local_id(0) + 1) % 8];
     });
   }).wait();
  expect("host memory, local memory", *host, 511);

  // Buffers of one element, one to three dimensions; a sub-buffer.
  int sum = 100, product = 7, several[3] = {1, 2, 3};
  long least = 1000;
  std::vector<int> input(333);
  std::iota(input.begin(), input.end(), -100);
  {
    sycl::buffer<int> in(input), to_sum(&sum, 1), all(several, 3);
    sycl::buffer<int> middle(all, 1, 1);
    sycl::buffer<long, 2> to_least(&least, {1, 1});
    sycl::buffer<int> to_product(&product, 1);
    q.submit([&](sycl::handler &h) {
      sycl::accessor values(in, h, sycl::read_only);
      h.parallel_for(in.get_range(), sycl::reduction(to_sum, h, sycl::plus<>()),
                     sycl::reduction(to_least, h, sycl::minimum<>()),
                     sycl::reduction(middle, h, 0, sycl::plus<>()),
                     sycl::reduction(to_product, h, sycl::multiplies<>(),
                                     {sycl::property::reduction::initialize_to_identity()}),
                     [=](sycl::id<1> i, auto &s, auto &l, auto &m, auto &p) {
                       s += values[i];
                       l.combine(values[i]);
                       ++m;
                       if (i < 10)
                         p *= 2;
                     });
    });
    // Each waits for the other through the buffer.
    q.submit([&](sycl::handler &h) {
      h.parallel_for(10, sycl::reduction(to_sum, h, sycl::plus<>()),
                     [=](sycl::id<1>, auto &s) { s += 1; });
    });
  }
  int included = 5, replaced = 5;
  {
    namespace oneapi = sycl::ext::oneapi;
    sycl::buffer<int> to_included(&included, 1), to_replaced(&replaced, 1);
    q.submit([&](sycl::handler &h) {
      sycl::accessor both(to_included, h);
      sycl::accessor<int, 0, sycl::access_mode::write> writes(to_replaced, h);
      h.parallel_for(sycl::nd_range<1>(12, 4), oneapi::reduction(both, oneapi::plus<>()),
                     oneapi::reduction(writes, 0, oneapi::plus<>()),
                     [=](sycl::nd_item<1>, auto &i, auto &r) {
                       ++i;
                       ++r;
                     });
    });
  }
  expect("accessors", 100 * included + replaced, 1712);
  expect("buffer", sum, 100 + std::accumulate(input.begin(), input.end(), 0) + 10);
  expect("buffer of two dimensions", least, -100L);
  expect("sub-buffer", several[1], 335);
  expect("buffer, initialised", product, 1024);

  bool refused = false;
  try {
    q.parallel_for(10,
                   sycl::reduction(
                       host, [](int left, int right) { return left ^ right; },
                       sycl::property::reduction::initialize_to_identity()),
                   [=](sycl::id<1>, auto &) {});
  } catch (const sycl::exception &error) {
    refused = error.code() == sycl::errc::invalid;
  }
  expect("no identity to initialise to", refused, true);
  refused = false;
  sycl::buffer<int> too_large(2);
  try {
    q.submit([&](sycl::handler &h) { sycl::reduction(too_large, h, sycl::plus<>()); });
  } catch (const sycl::exception &error) {
    refused = error.code() == sycl::errc::invalid;
  }
  expect("buffer of two elements", refused, true);
}

// Many at once, whose partial results must not share memory.
static void many() {
  sycl::queue in_order{sycl::property::queue::in_order()};
  long *sums = shared<long>(200);
  std::fill_n(sums, 200, 0);
  for (int i = 0; i < 200; ++i)
    (i % 2 ? q : in_order)
        .parallel_for(1000 + i * 100, sycl::reduction(sums + i, sycl::plus<>()),
                      [=](sycl::id<1> at, auto &sum) { sum += static_cast<long>(at) + i; });
  q.wait();
  in_order.wait();
  bool right = true;
  for (long i = 0; i < 200; ++i) {
    const long count = 1000 + i * 100;
    right = right && sums[i] == count * (count - 1) / 2 + i * count;
  }
  expect("many reductions at once", right, true);
}

// The standard library's function objects in the algorithms over groups.
static void groups() {
  static_assert(sycl::has_known_identity_v<std::plus<>, float> &&
                sycl::has_known_identity_v<std::bit_and<int>, int> &&
                !sycl::has_known_identity_v<std::plus<int>, float> &&
                !sycl::has_known_identity_v<std::bit_or<>, float> &&
                !sycl::has_known_identity_v<std::minus<>, int>);
  static_assert(sycl::known_identity_v<std::multiplies<>, short> == 1);
  int *results = shared<int>(6);
  auto *numbers = shared<std::complex<float>>(3);
  numbers[0] = {1, 2};
  numbers[1] = {10, 20};
  q.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> item) {
     const auto group = item.get_group();
     const int own = static_cast<int>(item.get_local_id(0));
     const short small = sycl::reduce_over_group(group, static_cast<short>(own), std::plus<>());
     const int bits = sycl::inclusive_scan_over_group(group, 1 << own % 8, std::bit_or<int>());
     const int before = sycl::exclusive_scan_over_group(item.get_sub_group(), 2, std::plus<>());
     if (own == 31) {
       results[0] = small;
       results[1] = bits;
       results[2] = before == 2 * static_cast<int>(item.get_sub_group().get_local_linear_id());
     }
     // Without an identity, since that of complex numbers is known.
     const auto sum = sycl::joint_reduce(group, numbers, numbers + 2, std::plus<>());
     if (own == 0)
       numbers[2] = sum;
     sycl::group_barrier(group);
     const int product = sycl::joint_reduce(group, results, results + 2, std::multiplies<int>());
     if (own == 0)
       results[3] = product;
   }).wait();
  expect("groups", std::vector<int>(results, results + 4), {496, 255, 1, 496 * 255});
  expect("a sum of complex numbers", numbers[2], std::complex<float>(11, 22));
}

static void views() {
  std::array<int, 5> numbers{1, 2, 3, 4, 5};
  const std::vector<float> floats(7, 1.5f);
  sycl::span all(numbers);
  static_assert(std::is_same_v<decltype(all), sycl::span<int, 5>>);
  static_assert(std::is_same_v<decltype(sycl::span(floats)), sycl::span<const float>>);
  static_assert(std::is_convertible_v<sycl::span<int, 5>, sycl::span<const int>> &&
                !std::is_convertible_v<sycl::span<const int>, sycl::span<int>> &&
                !std::is_convertible_v<sycl::span<int>, sycl::span<int, 5>> &&
                !std::is_constructible_v<sycl::span<int, 5>, sycl::span<int, 4>>);
  static_assert(std::is_same_v<decltype(all.subspan<1>()), sycl::span<int, 4>> &&
                std::is_same_v<decltype(all.subspan(1)), sycl::span<int>>);
  sycl::span<const int> part = all.subspan<1, 3>();
  expect("span, part", part.size() == 3 && part.front() == 2 && part.back() == 4, true);
  expect("span, ends", all.first(2)[1] + all.last<2>()[0] + all.subspan(3).size() == 8, true);
  expect("span, reversed", *part.rbegin() + std::accumulate(part.begin(), part.end(), 0), 13);
  expect("span, bytes", sycl::as_bytes(all).size() + sycl::span<int>().size(), sizeof(numbers));
}

int main() {
  sizes();
  dimensions();
  operations();
  types();
  spans();
  forms();
  many();
  groups();
  views();
  std::puts("done");
}
