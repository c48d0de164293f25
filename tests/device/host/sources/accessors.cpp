// Accessors in the spellings of SYCL 1.2.1, and everything that get_access accepts.
#include <cstddef>
#include <cstdio>
#include <sycl/sycl.hpp>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace acc = sycl::access;
constexpr std::size_t n = 32;
int failures = 0;
void expect(bool ok, int line) {
  if (!ok) {
    ++failures;
    std::printf("line %d\n", line);
  }
}
#define EXPECT(...) expect((__VA_ARGS__), __LINE__)

void local_targets(sycl::queue &q) {
  std::vector<int> v(n), w(n);
  for (std::size_t i = 0; i < n; ++i)
    v[i] = int(i);
  {
    sycl::buffer<int, 1> b(v.data(), sycl::range<1>(n)), out(w.data(), sycl::range<1>(n));
    q.submit([&](sycl::handler &cgh) {
      auto in = b.get_access<acc::mode::read>(cgh);
      auto o = out.get_access<acc::mode::discard_write, acc::target::global_buffer>(cgh);
      sycl::accessor<int, 1, acc::mode::read_write, acc::target::local> tile(sycl::range<1>(8),
                                                                             cgh);
      sycl::accessor<int, 2, acc::mode::read_write, acc::target::local> square(sycl::range<2>(2, 4),
                                                                               cgh);
      sycl::accessor<int, 0, acc::mode::read_write, acc::target::local> one(cgh);
      cgh.parallel_for<class local_kernel>(sycl::nd_range<1>(n, 8), [=](sycl::nd_item<1> it) {
        auto l = it.get_local_id(0);
        tile[l] = in[it.get_global_id()];
        square[1 - l / 4][l % 4] = 100;
        if (l == 0)
          one = 1000;
        it.barrier(acc::fence_space::local_space);
        int *raw = tile.get_pointer().get();
        o[it.get_global_linear_id()] =
            raw[7 - l] + square[sycl::id<2>(l / 4, l % 4)] + one + (int)tile.get_count();
      });
    });
  }
  for (std::size_t i = 0; i < n; ++i)
    EXPECT(w[i] == int(i / 8 * 8 + 7 - i % 8) + 1108);
}

void host_buffers() {
  std::vector<int> v(n, 1);
  sycl::buffer<int, 1> b(v.data(), sycl::range<1>(n));
  {
    auto h = b.get_access<acc::mode::read_write>();
    static_assert(
        std::is_same_v<decltype(h),
                       sycl::accessor<int, 1, acc::mode::read_write, acc::target::host_buffer>>);
    h[3] = 7;
    EXPECT(h.get_count() == n && h.get_size() == n * sizeof(int) && h.size() == n);
  }
  {
    auto h = b.get_access<acc::mode::write>(sycl::range<1>(2), sycl::id<1>(5));
    h[0] = 8;
  }
  {
    sycl::accessor<int, 1, acc::mode::read, acc::target::host_buffer> h(b);
    EXPECT(h[3] == 7 && h[5] == 8 && h[0] == 1);
  }
  sycl::host_accessor h(b, sycl::range<1>(3), sycl::id<1>(2), sycl::read_only);
  EXPECT(h.size() == 3 && h.byte_size() == 12 && !h.empty() && h.get_offset()[0] == 2 &&
         *h.cbegin() == 1 && h[1] == 7);
  EXPECT(*h.rbegin() == 1 && h.begin()[1] == 7 && h.get_pointer()[3] == 7 &&
         h.end() - h.begin() == 3 && h.max_size() > 3);
  auto same = h;
  EXPECT(same == h && std::hash<decltype(h)>()(same) == std::hash<decltype(h)>()(h));
}

// Numbers, ids and braces where a range and an id are deduced.
void deduced_parts(sycl::queue &q) {
  std::vector<int> v(n), w(n * n, 1);
  for (std::size_t i = 0; i < n; ++i)
    v[i] = int(i);
  sycl::buffer<int> b(v);
  sycl::buffer<int, 2> plane(w.data(), sycl::range<2>(n, n));
  const int offset = 5;
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor all(b, cgh, n, sycl::read_write);
    sycl::accessor from(b, cgh, 4, offset, sycl::read_only);
    sycl::accessor to(b, cgh, n / 8, sycl::id<1>(20), sycl::write_only, sycl::no_init);
    sycl::accessor block(plane, cgh, {2, 4}, {3, 6}, sycl::write_only);
    static_assert(std::is_same_v<decltype(from), sycl::accessor<int, 1, acc::mode::read>>);
    static_assert(std::is_same_v<decltype(block), sycl::accessor<int, 2, acc::mode::write>>);
    EXPECT(all.size() == n && from.get_offset()[0] == 5 && to.size() == 4 && block.size() == 8);
    cgh.parallel_for<class deduced_kernel>(sycl::range<1>(4), [=](sycl::id<1> i) {
      to[i] = 100 + from[i];
      block[0][i] = block[1][3 - i] = int(i) + 2;
    });
  });
  sycl::accessor placeholder(b, 3, sycl::read_only), part(b, 3, 1, sycl::read_only);
  EXPECT(placeholder.is_placeholder() && part.get_offset()[0] == 1 && part.size() == 3);
  sycl::host_accessor h(b, 4, 20, sycl::read_only), first(b, n / 4, sycl::read_only);
  sycl::host_accessor rows(plane, {2, n}, {3, 0});
  EXPECT(h[0] == 105 && h[3] == 108 && first.size() == 8 && first[7] == 7);
  EXPECT(rows[0][6] == 2 && rows[1][6] == 5 && rows[1][9] == 2 && rows[0][5] == 1);
}

// The class atomic, its functions, and the accessors whose elements it is.
void atomics(sycl::queue &q) {
  std::vector<int> counts(8), plane(6), one(1), others(4, 9);
  {
    sycl::buffer<int> b(counts), single(one), o(others);
    sycl::buffer<int, 2> p(plane.data(), sycl::range<2>(2, 3));
    q.submit([&](sycl::handler &cgh) {
      auto count = b.get_access<acc::mode::atomic>(cgh);
      auto cell = p.get_access<acc::mode::atomic>(cgh);
      sycl::accessor<int, 0, acc::mode::atomic> only(single, cgh);
      auto other = o.get_access<acc::mode::read_write>(cgh);
      sycl::accessor<int, 1, acc::mode::atomic, acc::target::local> bins(sycl::range<1>(4), cgh);
      cgh.parallel_for<class atomic_kernel>(sycl::nd_range<1>(n, 16), [=](sycl::nd_item<1> it) {
        const std::size_t i = it.get_global_id(0), lane = it.get_local_id(0);
        if (lane < 4)
          bins[lane].store(0);
        it.barrier();
        bins[i % 4].fetch_add(2);
        sycl::atomic_fetch_sub(bins[i % 4], 1);
        it.barrier();
        if (lane < 4)
          count[lane].fetch_add(sycl::atomic_load(bins[lane]));
        count[sycl::id<1>(4)].fetch_max(int(i));
        count[5].fetch_or(1 << i % 8);
        cell[i % 2][i % 3].fetch_add(1);
        cell[sycl::id<2>(0, 0)].fetch_xor(0);
        sycl::atomic<int> all = only;
        for (int seen = all.load(); !all.compare_exchange_strong(seen, seen + 3);)
          ;
        sycl::atomic<int> through_pointer{sycl::global_ptr<int>(&other[0])};
        sycl::atomic_fetch_min(through_pointer, 5);
        if (i == 0)
          count[6].store(through_pointer.exchange(4) >= 4);
      });
    });
  }
  EXPECT(counts == std::vector<int>{8, 8, 8, 8, int(n) - 1, 255, 1, 0});
  EXPECT(plane == std::vector<int>{6, 5, 5, 5, 6, 5} && one[0] == 3 * int(n) && others[0] == 4);
}

void constants(sycl::queue &q) {
  std::vector<float> v(n, 2);
  const std::vector<float> c(n, 3);
  std::vector<float> w(n);
  {
    sycl::buffer<const float> constant(c.data(), sycl::range<1>(n));
    sycl::buffer<float> b(v), out(w);
    q.submit([&](sycl::handler &cgh) {
      auto x = b.get_access<acc::mode::read, acc::target::constant_buffer>(cgh);
      sycl::accessor y(constant, cgh);
      static_assert(std::is_same_v<decltype(y), sycl::accessor<const float, 1, acc::mode::read>>);
      sycl::accessor y2(constant, cgh, sycl::read_only);
      sycl::accessor<const float, 1, sycl::access_mode::read> y3(constant, cgh), y4(b, cgh);
      auto o = out.get_access<sycl::access_mode::write>(cgh, sycl::range<1>(n), sycl::id<1>(0));
      cgh.parallel_for(sycl::range<1>(n),
                       [=](sycl::id<1> i) { o[i] = x[i] + y[i] * y2[i] + y3[i] * y4[i]; });
    });
    sycl::host_accessor hc(constant);
    static_assert(
        std::is_same_v<decltype(hc), sycl::host_accessor<const float, 1, sycl::access_mode::read>>);
    EXPECT(hc[4] == 3);
    EXPECT(constant.get_host_access()[1] == 3);
  }
  EXPECT(w[5] == 2 + 9 + 6);
}

void placeholders(sycl::queue &q) {
  std::vector<int> v(n, 1);
  {
    sycl::buffer<int> b(v);
    sycl::accessor<int, 1, sycl::access::mode::read_write, sycl::access::target::global_buffer,
                   sycl::access::placeholder::true_t>
        p(b);
    EXPECT(p.is_placeholder());
    std::unordered_set<decltype(p)> set{p};
    EXPECT(set.size() == 1);
    const int zero = 0;
    sycl::buffer<int> other(&zero, 1);
    q.submit([&](sycl::handler &cgh) {
      cgh.require(p);
      // Only DPC++ and SYCL 1.2.1 give a pointer to what is not const.
      auto reads = other.get_access<acc::mode::read>(cgh);
      cgh.parallel_for(sycl::range<1>(n), [=](sycl::item<1> i) {
        int *read_only = reads.get_pointer();
        p[i] += 1 + *read_only;
        auto m = p.get_multi_ptr<sycl::access::decorated::no>();
        m[i.get_id(0)] += 2;
        p.get_pointer()[i.get_linear_id()] += 3;
        *(p.begin() + i.get_id(0)) += 4;
      });
    });
  }
  EXPECT(v[3] == 11);
}

void offsets(sycl::queue &q) {
  std::vector<int> v(n), w(64), x(16);
  {
    sycl::buffer<int> b(v), c(x);
    sycl::buffer<int, 2> d(w.data(), sycl::range<2>(8, 8));
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor a(b, cgh, sycl::read_write);
      cgh.parallel_for(sycl::range<1>(8), sycl::id<1>(4), [=](sycl::item<1> i) {
        a[i] = int(i.get_linear_id() + 100 * i.get_offset()[0] + 1000 * i.get_range(0));
      });
    });
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor a(d, cgh, sycl::read_write);
      cgh.parallel_for<class off2>(sycl::range<2>(3, 2), sycl::id<2>(1, 5),
                                   [=](sycl::id<2> i) { a[i] = int(i[0] * 10 + i[1]); });
    });
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor a(c, cgh, sycl::read_write);
      cgh.parallel_for(sycl::nd_range<1>(8, 4, 8), [=](sycl::nd_item<1> i) {
        a[i.get_global_id()] = int(i.get_global_linear_id() + i.get_offset()[0] + 1);
      });
    });
  }
  for (int i = 0; i < int(n); ++i)
    EXPECT(v[i] == (i >= 4 && i < 12 ? i - 4 + 400 + 8000 : 0));
  for (int i = 0; i < 64; ++i)
    EXPECT(w[i] == (i / 8 >= 1 && i / 8 < 4 && i % 8 >= 5 && i % 8 < 7 ? i / 8 * 10 + i % 8 : 0));
  for (int i = 0; i < 16; ++i)
    EXPECT(x[i] == (i >= 8 ? i - 8 + 8 + 1 : 0));
  sycl::id<2> i(3, 4);
  sycl::range<2> r(2, 3);
  EXPECT(i + r == sycl::id<2>(5, 7));
  EXPECT(i * r == sycl::id<2>(6, 12));
  EXPECT((r * 2u).size() == 24);
  EXPECT(i % r == sycl::id<2>(1, 1));
  EXPECT(sycl::id<1>(3) + 1 == 4);
  EXPECT(i != sycl::id<2>(r));
  int *p = sycl::malloc_shared<int>(16, q);
  for (int k = 0; k < 16; ++k)
    p[k] = 0;
  q.parallel_for(sycl::range<1>(4), sycl::id<1>(2), [=](sycl::id<1> k) { p[k] = 1; }).wait();
  EXPECT(p[1] == 0 && p[2] == 1 && p[5] == 1 && p[6] == 0);
  sycl::free(p, q);
}

int main() {
  sycl::queue q;
  local_targets(q);
  host_buffers();
  deduced_parts(q);
  atomics(q);
  constants(q);
  placeholders(q);
  offsets(q);
  std::printf("accessors: %d errors\n", failures);
  return failures;
}
