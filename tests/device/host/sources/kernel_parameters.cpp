// Kernels whose parameter has every type that an item converts to, or that is deduced.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <type_traits>

constexpr std::size_t n = 64;

struct set_by_item {
  int *out;
  template <typename Item> void operator()(Item &i) const { out[i.get_linear_id()] = 1; }
};

struct set_by_nd_item {
  int *out;
  template <typename Item> void operator()(const Item &i) const {
    out[i.get_global_linear_id()] = 1;
  }
};

// A program's own type.
struct position {
  position(sycl::item<1> i) : value(i[0]) {}
  std::size_t value;
};

template <typename Item, typename Parameter> constexpr bool deduced() {
  return std::is_same_v<Item, std::remove_cv_t<std::remove_reference_t<Parameter>>>;
}

template <int> class by_name;

class checker {
public:
  explicit checker(sycl::queue q) : q(q), out(sycl::malloc_shared<int>(n, q)) { clear(); }
  ~checker() { sycl::free(out, q); }

  // Every element has been set; sets them to zero again.
  void operator()() {
    q.wait();
    ++kernels;
    for (std::size_t i = 0; i < n; ++i)
      if (out[i] != 1) {
        ++errors;
        std::printf("kernel %d: element %zu\n", kernels, i);
        break;
      }
    clear();
  }

  sycl::queue q;
  int *out;
  int kernels = 0, errors = 0;

private:
  void clear() {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = 0;
  }
};

void run_generic(checker &check) {
  sycl::queue &q = check.q;
  int *out = check.out;
  q.parallel_for(sycl::range<1>(n), [=](auto &i) {
    static_assert(deduced<sycl::item<1>, decltype(i)>());
    out[i] = 1;
  });
  check();
  q.parallel_for(sycl::range<2>(8, 8), [=](const auto &i) {
    static_assert(deduced<sycl::item<2>, decltype(i)>());
    out[i.get_linear_id()] = 1;
  });
  check();
  q.parallel_for(sycl::range<3>(4, 4, 4), [=](auto i) { out[i.get_linear_id()] = 1; });
  check();
  q.parallel_for(sycl::range<3>(4, 4, 4), [=](auto &&i) { out[i.get_linear_id()] = 1; });
  check();
  q.parallel_for<by_name<1>>(n, [=](auto &i) { out[i] = 1; });
  check();
  q.parallel_for(sycl::range<2>(8, 8), set_by_item{out});
  check();
  q.submit([&](auto &h) {
    h.template parallel_for<by_name<2>>(sycl::range<2>(8, 8),
                                        [=](auto &i) { out[i.get_linear_id()] = 1; });
  });
  check();
  q.submit([&](sycl::handler &h) { h.parallel_for(n, [=](const auto &i) { out[i] = 1; }); });
  check();
}

void run_generic_nd(checker &check) {
  sycl::queue &q = check.q;
  int *out = check.out;
  sycl::nd_range<1> one(n, 16);
  sycl::nd_range<2> two({8, 8}, {4, 2});
  sycl::nd_range<3> three({4, 4, 4}, {2, 2, 2});
  q.parallel_for<by_name<3>>(one, [=](auto &i) {
    static_assert(deduced<sycl::nd_item<1>, decltype(i)>());
    out[i.get_global_id(0)] = 1;
  });
  check();
  q.parallel_for(two, [=](const auto &i) { out[i.get_global_linear_id()] = 1; });
  check();
  q.parallel_for(three, [=](auto &&i) { out[i.get_global_linear_id()] = 1; });
  check();
  q.parallel_for(two, set_by_nd_item{out});
  check();
  q.submit(
      [&](auto &h) { h.parallel_for(three, [=](auto i) { out[i.get_global_linear_id()] = 1; }); });
  check();
  q.submit([&](auto &h) { h.template parallel_for<by_name<4>>(one, set_by_nd_item{out}); });
  check();
}

void run_written(checker &check) {
  sycl::queue &q = check.q;
  int *out = check.out;
  q.parallel_for(n, [=](const sycl::item<1> &i) { out[i] = 1; });
  check();
  q.parallel_for(n, [=](const sycl::id<1> &i) { out[i] = 1; });
  check();
  q.parallel_for(sycl::range<2>(8, 8), [=](const sycl::id<2> &i) { out[i[0] * 8 + i[1]] = 1; });
  check();
  q.parallel_for(n, [=](std::size_t i) { out[i] = 1; });
  check();
  q.parallel_for(n, [=](int i) { out[i] = 1; });
  check();
  q.parallel_for(n, [=](const unsigned &i) { out[i] = 1; });
  check();
  q.parallel_for(n, [=](position i) { out[i.value] = 1; });
  check();
  q.parallel_for(n, [=](sycl::item<1, false> i) { out[i] = 1; });
  check();
  q.parallel_for(n, [=](const sycl::item<1, false> &i) { out[i] = 1; });
  check();
  q.parallel_for(sycl::range<3>(4, 4, 4),
                 [=](const sycl::item<3> i) { out[i.get_linear_id()] = 1; });
  check();
  q.parallel_for(sycl::nd_range<1>(n, 16),
                 [=](const sycl::nd_item<1> &i) { out[i.get_global_id(0)] = 1; });
  check();
}

int main() {
  checker check{sycl::queue()};
  run_generic(check);
  run_generic_nd(check);
  run_written(check);
  std::printf("%d kernels, %d errors\n", check.kernels, check.errors);
  return check.errors;
}
