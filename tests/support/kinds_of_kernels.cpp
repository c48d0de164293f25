// One kernel of each kind: what a target has to have, and what its compiler has to understand.
#include <cassert>
#include <sycl/sycl.hpp>
#include <type_traits>

namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;

#define KERNEL(DIMENSIONS) SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<DIMENSIONS>))

namespace {

std::size_t here() { return syclext::this_work_item::get_nd_item<1>().get_global_linear_id(); }

} // namespace

struct pair {
  float first;
  int second;
};

KERNEL(1) void plain(pair value, float *out) {
  out[here()] = value.first * static_cast<float>(value.second);
}

KERNEL(3) void three_dimensions(int *out) {
  auto item = syclext::this_work_item::get_nd_item<3>();
  out[item.get_global_linear_id()] =
      static_cast<int>(item.get_local_id(0) + item.get_group(1) + item.get_global_range(2));
}

KERNEL(1) [[sycl::reqd_work_group_size(64)]] void local_memory(int *out) {
  auto item = syclext::this_work_item::get_nd_item<1>();
  auto shared = syclext::group_local_memory_for_overwrite<int[64]>(item.get_group());
  int at = static_cast<int>(item.get_local_id(0));
  (*shared)[at] = out[here()];
  sycl::group_barrier(item.get_group());
  out[here()] = (*shared)[63 - at];
}

KERNEL(1) void mathematics(float *out) {
  float x = out[here()];
  out[here()] = sycl::sin(x) + sycl::pow(x, 1.5f) + sycl::sqrt(x) + sycl::fmin(x, 2.0f);
}

KERNEL(1) void double_precision(double *out) { out[here()] = sycl::exp(out[here()]) * 2; }

KERNEL(1) void half_precision(sycl::half *out) { out[here()] = out[here()] * sycl::half(2) + 1; }

KERNEL(1) void atomics(int *out) {
  sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device> counter(*out);
  counter.fetch_add(1);
  counter.fetch_max(7, sycl::memory_order::relaxed, sycl::memory_scope::work_group);
}

KERNEL(1) void wide_atomics(long *out) {
  sycl::atomic_ref<long, sycl::memory_order::seq_cst, sycl::memory_scope::system> counter(*out);
  long expected = counter.load();
  counter.compare_exchange_strong(expected, expected + 1);
}

namespace {

template <typename T, sycl::memory_scope SCOPE> void count_in_every_order(T *out) {
  sycl::atomic_ref<T, sycl::memory_order::relaxed, SCOPE> counter(*out);
  counter.fetch_add(T(1), sycl::memory_order::relaxed);
  counter.fetch_add(T(2), sycl::memory_order::acquire);
  counter.fetch_add(T(3), sycl::memory_order::release);
  counter.fetch_add(T(4), sycl::memory_order::acq_rel);
  counter.fetch_add(T(5), sycl::memory_order::seq_cst);
}

template <typename T> void count_in_every_scope(T *out) {
  count_in_every_order<T, sycl::memory_scope::work_item>(out);
  count_in_every_order<T, sycl::memory_scope::sub_group>(out);
  count_in_every_order<T, sycl::memory_scope::work_group>(out);
  count_in_every_order<T, sycl::memory_scope::device>(out);
  count_in_every_order<T, sycl::memory_scope::system>(out);
}

template <typename T> void modify_in_every_way(T *out) {
  sycl::atomic_ref<T, sycl::memory_order::acq_rel, sycl::memory_scope::system> counter(*out);
  counter.store(counter.load() + counter.fetch_sub(T(1)));
  counter.fetch_min(T(7));
  counter.fetch_max(T(3));
  T expected = counter.exchange(T(4));
  counter.compare_exchange_strong(expected, T(5));
  if constexpr (std::is_integral_v<T>) {
    counter.fetch_and(T(6));
    counter.fetch_or(T(8));
    counter.fetch_xor(T(9));
  }
}

} // namespace

KERNEL(1) void atomics_of_every_scope(int *out, unsigned *more, int order) {
  count_in_every_scope(out);
  modify_in_every_way(out);
  modify_in_every_way(more);
  sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::system> counter(*out);
  counter.fetch_add(1, static_cast<sycl::memory_order>(order));
}

KERNEL(1) void atomics_on_numbers(float *out) {
  count_in_every_scope(out);
  modify_in_every_way(out);
}

KERNEL(1) void wide_atomics_on_numbers(double *out) { modify_in_every_way(out); }

KERNEL(1) void sub_groups(int *out) {
  auto group = syclext::this_work_item::get_sub_group();
  out[here()] = static_cast<int>(group.get_local_linear_id() + group.get_group_linear_id());
  sycl::group_barrier(group);
}

#define REQUIRED_SIZE(SIZE)                                                                        \
  KERNEL(1) [[sycl::reqd_sub_group_size(SIZE)]] void sub_groups_of_##SIZE(unsigned *out) {         \
    out[here()] = syclext::this_work_item::get_sub_group().get_max_local_range()[0];               \
  }
REQUIRED_SIZE(8)
REQUIRED_SIZE(16)
REQUIRED_SIZE(32)
REQUIRED_SIZE(64)

namespace {

template <typename T> T exchange(T value) {
  auto group = syclext::this_work_item::get_sub_group();
  value += sycl::shift_group_left(group, value);
  value += sycl::shift_group_right(group, value, 2);
  value += sycl::permute_group_by_xor(group, value, 5);
  value += sycl::select_from_group(group, value, static_cast<std::uint32_t>(value));
  return value + sycl::group_broadcast(group, value, 1);
}

} // namespace

KERNEL(1) void exchanges(int *out) { out[here()] = exchange(out[here()]); }

#define EXCHANGE_IN(SIZE)                                                                          \
  KERNEL(1) [[sycl::reqd_sub_group_size(SIZE)]] void exchanges_in_##SIZE(long *out) {              \
    out[here()] = exchange(out[here()]);                                                           \
  }
EXCHANGE_IN(16)
EXCHANGE_IN(32)
EXCHANGE_IN(64)

KERNEL(1) void groups(int *out) {
  auto whole = syclext::this_work_item::get_nd_item<1>().get_group();
  auto part = syclext::this_work_item::get_sub_group();
  int value = out[here()];
  value += sycl::reduce_over_group(whole, value, sycl::plus<>());
  value += sycl::reduce_over_group(part, value, sycl::maximum<>());
  value += sycl::exclusive_scan_over_group(whole, value, sycl::plus<>());
  value += sycl::inclusive_scan_over_group(part, value, sycl::plus<>());
  value += sycl::any_of_group(part, value > 1) + sycl::all_of_group(whole, value > 2);
  out[here()] = value + sycl::group_broadcast(whole, value) + sycl::group_broadcast(part, value);
}

KERNEL(1) void assertions(int *out) {
  assert(out[here()] != 0);
  out[here()] = 1 / out[here()];
}

KERNEL(1) [[sycl::reqd_sub_group_size(16)]] void double_in_sub_groups(double *out) {
  out[here()] = syclext::this_work_item::get_sub_group().get_local_linear_id();
}

KERNEL(1) void half_and_double(sycl::half *from, double *to) { to[here()] = float(from[here()]); }

void start(sycl::queue &queue, int *out) {
  queue.submit([&](sycl::handler &handler) {
    sycl::local_accessor<int, 1> narrow(64, handler);
    sycl::local_accessor<long, 1> wide(64, handler);
    handler.parallel_for<class local_accessors>(sycl::nd_range<1>(64, 64), [=](auto item) {
      narrow[item.get_local_id(0)] = out[item.get_global_id(0)];
      wide[63 - item.get_local_id(0)] = out[item.get_global_id(0)];
      sycl::group_barrier(item.get_group());
      out[item.get_global_id(0)] =
          narrow[63 - item.get_local_id(0)] + static_cast<int>(wide[item.get_local_id(0)]);
    });
  });
}
