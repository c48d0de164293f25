// What work-items and groups tell and do, in today's and in earlier spellings.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

int errors = 0;
void expect(bool holds, int line) {
  if (!holds) {
    ++errors;
    std::printf("line %d\n", line);
  }
}
#define EXPECT(...) expect((__VA_ARGS__), __LINE__)

constexpr std::size_t n = 64, size = 16;

void group_copies(sycl::queue &q) {
  std::vector<int> in(2 * n), out(2 * n, -1), strided(n);
  for (std::size_t i = 0; i < 2 * n; ++i)
    in[i] = static_cast<int>(i);
  {
    sycl::buffer<int> a(in), b(out), c(strided);
    q.submit([&](sycl::handler &h) {
      sycl::accessor x(a, h, sycl::read_only);
      sycl::accessor y(b, h, sycl::read_write);
      sycl::accessor z(c, h, sycl::write_only);
      sycl::local_accessor<int, 1> tile(sycl::range<1>(size), h), evens(sycl::range<1>(size), h);
      h.parallel_for(sycl::nd_range<1>(n, size), [=](sycl::nd_item<1> it) {
        auto g = it.get_group();
        std::size_t first = g.get_group_linear_id() * size, l = it.get_local_id(0);
        auto from = x.get_multi_ptr<sycl::access::decorated::yes>();
        auto both = tile.get_multi_ptr<sycl::access::decorated::yes>();
        sycl::device_event whole = g.async_work_group_copy(both, from + first, size);
        sycl::device_event every = it.async_work_group_copy(
            evens.get_multi_ptr<sycl::access::decorated::yes>(), from + 2 * first, size, 2);
        it.wait_for(whole, every);
        z[first + l] = tile[size - 1 - l] * 1000 + evens[l];
        sycl::group_barrier(g);
        auto to = y.get_multi_ptr<sycl::access::decorated::yes>();
        g.async_work_group_copy(to + 2 * first, both, size, 2).wait();
      });
    });
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t first = i / size * size, l = i % size;
    EXPECT(strided[i] == static_cast<int>((first + size - 1 - l) * 1000 + 2 * i));
    EXPECT(out[2 * i] == static_cast<int>(i) && out[2 * i + 1] == -1);
  }
}

// At work-group scope the copy is still made by all.
void hierarchical_copies(sycl::queue &q) {
  int *in = sycl::malloc_shared<int>(n, q), *out = sycl::malloc_shared<int>(n, q);
  for (std::size_t i = 0; i < n; ++i)
    in[i] = static_cast<int>(i * i);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int, 1> tile(sycl::range<1>(size), h);
     h.parallel_for_work_group(
         sycl::range<1>(n / size), sycl::range<1>(size), [=](sycl::group<1> g) {
           auto to = tile.get_multi_ptr<sycl::access::decorated::yes>();
           auto from = sycl::address_space_cast<sycl::access::address_space::global_space,
                                                sycl::access::decorated::yes>(in);
           sycl::device_event copied =
               g.async_work_group_copy(to, from + g.get_group_id(0) * size, size);
           g.wait_for(copied);
           g.parallel_for_work_item([&](sycl::h_item<1> it) {
             out[it.get_global_id(0)] = tile[it.get_local_id(0)] + tile[0];
           });
         });
   }).wait();
  for (std::size_t i = 0; i < n; ++i)
    EXPECT(out[i] == in[i] + in[i / size * size]);
  sycl::free(in, q);
  sycl::free(out, q);
}

void sub_group_members(sycl::queue &q) {
  int *in = sycl::malloc_shared<int>(n, q), *out = sycl::malloc_shared<int>(n, q);
  int *wrong = sycl::malloc_shared<int>(1, q);
  for (std::size_t i = 0; i < n; ++i)
    in[i] = static_cast<int>(i * 3);
  *wrong = 0;
  q.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> it) {
     auto lanes = it.get_sub_group();
     unsigned l = lanes.get_local_linear_id(), count = lanes.get_local_linear_range();
     unsigned before = lanes.get_group_linear_id() * lanes.get_max_local_range()[0];
     int mine = static_cast<int>(l), bad = 0;
     bad += lanes.shuffle(mine, 0) != 0;
     bad += lanes.shuffle_xor(mine, 1) != static_cast<int>(l ^ 1);
     bad += l + 1 < count && lanes.shuffle_down(mine, 1) != mine + 1;
     bad += l >= 1 && lanes.shuffle_up(mine, 1) != mine - 1;
     lanes.barrier();
     bad += lanes.load(in + before) != static_cast<int>((before + l) * 3);
     sycl::vec<int, 2> two = lanes.load<2>(in);
     bad += two[1] != static_cast<int>((lanes.get_max_local_range()[0] + l) * 3);
     lanes.store(out + before, static_cast<int>(before + l));
     if (bad)
       *wrong = bad;
   }).wait();
  EXPECT(*wrong == 0);
  for (std::size_t i = 0; i < size; ++i)
    EXPECT(out[i] == static_cast<int>(i));
  q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(
                                              8)]] {
     sycl::vec<int, 4> values(1, 2, 3, 4);
     it.get_sub_group().store(out, values);
   }).wait();
  for (std::size_t i = 0; i < 32; ++i)
    EXPECT(out[i] == static_cast<int>(i / 8 + 1));
  sycl::free(in, q);
  sycl::free(out, q);
  sycl::free(wrong, q);
}

void queries(sycl::queue &q) {
  int *wrong = sycl::malloc_shared<int>(1, q);
  *wrong = 0;
  q.parallel_for(sycl::nd_range<2>({8, 12}, {4, 3}), [=](sycl::nd_item<2> it) {
     auto g = it.get_group();
     int bad = 0;
     bad += g.get_id() != g.get_group_id() || g.get_id(1) != it.get_group(1);
     bad += g.get_linear_id() != it.get_group_linear_id();
     bad += g.get_global_range() != sycl::range<2>(8, 12) || g.get_global_range(1) != 12;
     bad += it.get_local_range(0) != 4 || it.get_global_range(1) != 12;
     it.mem_fence();
     g.mem_fence<sycl::access::mode::write>(sycl::access::fence_space::local_space);
     it.barrier(sycl::access::fence_space::global_space);
     if (bad)
       *wrong = bad;
   }).wait();
  EXPECT(*wrong == 0);
  sycl::free(wrong, q);
}

int main() {
  sycl::queue q;
  group_copies(q);
  hierarchical_copies(q);
  sub_group_members(q);
  queries(q);
  std::printf("work-items: %d errors\n", errors);
  return errors;
}
