// One kernel for each feature of device code; checks.py compares the results with NumPy.
#include <cstdint>
#include <sycl/sycl.hpp>

namespace syclext = sycl::ext::oneapi;
namespace syclexp = sycl::ext::oneapi::experimental;
using syclext::this_work_item::get_nd_item;

#define KERNEL(DIMENSIONS)                                                                         \
  SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<DIMENSIONS>)) void

// The position of every work-item: six values for each dimension, one queried by a variable too.
template <int Dimensions> void write_place(std::uint64_t *out, int first) {
  auto item = get_nd_item<Dimensions>();
  std::uint64_t *to = out + item.get_global_linear_id() * 7 * Dimensions;
  for (int i = 0; i < Dimensions; ++i) {
    int variable = (first + i) % Dimensions;
    to[7 * i + 0] = item.get_global_id(i);
    to[7 * i + 1] = item.get_global_range(i);
    to[7 * i + 2] = item.get_local_id(i);
    to[7 * i + 3] = item.get_local_range(i);
    to[7 * i + 4] = item.get_group(i);
    to[7 * i + 5] = item.get_group_range(i);
    to[7 * i + 6] = item.get_global_id(variable);
  }
}
KERNEL(1) places_1d(std::uint64_t *out, int first) { write_place<1>(out, first); }
KERNEL(2) places_2d(std::uint64_t *out, int first) { write_place<2>(out, first); }
KERNEL(3) places_3d(std::uint64_t *out, int first) { write_place<3>(out, first); }

// Sub-groups; the last one may be smaller.
KERNEL(3) sub_group_places(std::uint32_t *out) {
  auto item = get_nd_item<3>();
  auto sub_group = item.get_sub_group();
  std::uint32_t *to = out + item.get_global_linear_id() * 5;
  to[0] = sub_group.get_local_id()[0];
  to[1] = sub_group.get_local_range()[0];
  to[2] = sub_group.get_max_local_range()[0];
  to[3] = sub_group.get_group_id()[0];
  to[4] = sub_group.get_group_range()[0];
}

// More work-items than 32 bits can count; those beyond write.
KERNEL(1) far_places(std::uint64_t *out) {
  std::uint64_t id = get_nd_item<1>().get_global_id(0);
  if (id >> 32)
    out[id & 0xffffffff] = id;
}

// A matrix transposed through local memory.
KERNEL(2) transpose(const float *from, float *to) {
  constexpr std::size_t side = 16;
  auto item = get_nd_item<2>();
  auto tile = syclext::group_local_memory_for_overwrite<float[side][side]>(item.get_group());
  std::size_t rows = item.get_global_range(0), columns = item.get_global_range(1);
  std::size_t row = item.get_local_id(0), column = item.get_local_id(1);
  (*tile)[row][column] = from[item.get_global_id(0) * columns + item.get_global_id(1)];
  sycl::group_barrier(item.get_group());
  std::size_t to_row = item.get_group(1) * side + row;
  std::size_t to_column = item.get_group(0) * side + column;
  to[to_row * rows + to_column] = (*tile)[column][row];
}

// The sum of each group, with a barrier for each step.
KERNEL(1) sums_of_groups(const std::uint32_t *values, std::uint32_t *sums) {
  auto item = get_nd_item<1>();
  auto &parts = *syclext::group_local_memory_for_overwrite<std::uint32_t[1024]>(item.get_group());
  std::size_t local = item.get_local_id(0);
  parts[local] = values[item.get_global_id(0)];
  for (std::size_t width = item.get_local_range(0) / 2; width; width /= 2) {
    sycl::group_barrier(item.get_group());
    if (local < width)
      parts[local] += parts[local + width];
  }
  if (local == 0)
    sums[item.get_group(0)] = parts[0];
}

// Exchange between neighbours of a sub-group through memory, with a sub-group barrier per step.
KERNEL(1) sub_group_barriers(std::uint32_t *out) {
  auto item = get_nd_item<1>();
  auto sub_group = item.get_sub_group();
  auto &parts = *syclext::group_local_memory_for_overwrite<std::uint32_t[1024]>(item.get_group());
  std::size_t local = item.get_local_id(0);
  std::size_t first = local - sub_group.get_local_id()[0];
  std::size_t size = sub_group.get_local_range()[0];
  std::uint32_t value = item.get_global_id(0);
  for (int step = 0; step < 8; ++step) {
    parts[local] = value;
    sycl::group_barrier(sub_group);
    value = parts[first + (local - first + 1) % size] + 1;
    sycl::group_barrier(sub_group);
  }
  out[item.get_global_id(0)] = value;
}

// Two arrays whose sizes are set at launch and one with a fixed, odd size: none may overlap
// another, and all must be aligned.
struct local_accessors {
  sycl::local_accessor<std::uint32_t> front;
  sycl::local_accessor<std::uint64_t> back;
  std::uint32_t *out;

  void operator()(sycl::nd_item<1> item) const {
    auto &fixed = *syclext::group_local_memory_for_overwrite<std::uint32_t[257]>(item.get_group());
    std::size_t local = item.get_local_id(0), last = item.get_local_range(0) - 1;
    std::uint32_t id = item.get_global_id(0);
    front[local] = 3 * id;
    back[local] = 5 * id;
    fixed[local] = 7 * id;
    sycl::group_barrier(item.get_group());
    out[4 * id + 0] = front[last - local];
    out[4 * id + 1] = back[last - local];
    out[4 * id + 2] = fixed[last - local];
    out[4 * id + 3] = reinterpret_cast<std::uintptr_t>(&back[0]) % alignof(std::uint64_t);
  }
};
// Makes the class a kernel.
void launch(sycl::handler &handler, const local_accessors &object) {
  handler.parallel_for(sycl::nd_range<1>(1, 1), object);
}

// The last group to finish adds the results of all groups, without another launch.
KERNEL(1)
last_group_adds(const std::uint32_t *values, std::uint32_t *parts, std::uint32_t *done,
                std::uint32_t *sum) {
  auto item = get_nd_item<1>();
  if (item.get_local_id(0) != 0)
    return;
  std::size_t size = item.get_local_range(0), groups = item.get_group_range(0);
  std::uint32_t part = 0;
  for (std::size_t i = 0; i < size; ++i)
    part += values[item.get_group(0) * size + i];
  parts[item.get_group(0)] = part;
  sycl::atomic_ref<std::uint32_t, sycl::memory_order::acq_rel, sycl::memory_scope::device> count(
      *done);
  if (count.fetch_add(1) + 1 != groups)
    return;
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < groups; ++i)
    total += parts[i];
  *sum = total;
}

// Work-items pass on a plain value: one writes it and releases, the next one acquires.
KERNEL(1)
hand_on(std::uint32_t *values, std::uint32_t *turn, sycl::memory_order release,
        sycl::memory_order acquire, sycl::memory_scope scope) {
  auto item = get_nd_item<1>();
  if (item.get_local_id(0) != 0)
    return;
  std::uint32_t group = item.get_group(0);
  sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device> ref(
      *turn);
  while (ref.load(acquire, scope) != group)
    ;
  values[group + 1] = values[group] + group;
  ref.store(group + 1, release, scope);
}

// Every operation, each on its own word, with the memory order and scope that are passed.
template <typename T, sycl::access::address_space Space>
void change_all(T *words, sycl::memory_order order, sycl::memory_scope scope, T value) {
  auto at = [=](int word) {
    return sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device, Space>(
        words[word]);
  };
  at(0).fetch_add(value, order, scope);
  at(1).fetch_sub(value, order, scope);
  at(2).fetch_min(value, order, scope);
  at(3).fetch_max(value, order, scope);
  T seen = at(4).load(sycl::memory_order::relaxed, scope);
  while (!at(4).compare_exchange_strong(seen, seen + value, order, scope))
    ;
  // The sum of the removed and the remaining values is that of all stored values.
  at(6).fetch_add(at(5).exchange(value, order, scope), order, scope);
  if constexpr (std::is_integral_v<T>) {
    at(7).fetch_and(~value, order, scope);
    at(8).fetch_or(value, order, scope);
    at(9).fetch_xor(value, order, scope);
  }
}

template <typename T>
void change_global(T *words, sycl::memory_order order, sycl::memory_scope scope) {
  T value = static_cast<T>(get_nd_item<1>().get_global_id(0) + 1);
  change_all<T, sycl::access::address_space::global_space>(words, order, scope, value);
  change_all<T, sycl::access::address_space::generic_space>(words + 10, order, scope, value);
}

// The same in local memory; each group copies its words out.
template <typename T> void change_local(T *words, sycl::memory_order order) {
  auto item = get_nd_item<1>();
  auto &local = *syclext::group_local_memory_for_overwrite<T[10]>(item.get_group());
  if (item.get_local_id(0) < 10)
    local[item.get_local_id(0)] = words[item.get_group(0) * 10 + item.get_local_id(0)];
  sycl::group_barrier(item.get_group());
  change_all<T, sycl::access::address_space::local_space>(
      local, order, sycl::memory_scope::work_group, static_cast<T>(item.get_local_id(0) + 1));
  sycl::group_barrier(item.get_group());
  if (item.get_local_id(0) < 10)
    words[item.get_group(0) * 10 + item.get_local_id(0)] = local[item.get_local_id(0)];
}

#define ATOMICS(NAME, TYPE)                                                                        \
  KERNEL(1) atomics_##NAME(TYPE *words, sycl::memory_order order, sycl::memory_scope scope) {      \
    change_global(words, order, scope);                                                            \
  }                                                                                                \
  KERNEL(1) local_atomics_##NAME(TYPE *words, sycl::memory_order order) {                          \
    change_local(words, order);                                                                    \
  }
ATOMICS(i32, std::int32_t)
ATOMICS(u32, std::uint32_t)
ATOMICS(i64, std::int64_t)
ATOMICS(u64, std::uint64_t)
ATOMICS(f32, float)
ATOMICS(f64, double)

// Exchanges within a sub-group; work-items without a partner keep their value.
template <typename T> void exchange_all(const T *values, T *out) {
  auto item = get_nd_item<1>();
  auto sub_group = item.get_sub_group();
  std::size_t i = item.get_global_id(0);
  std::uint32_t local = sub_group.get_local_id()[0], size = sub_group.get_local_range()[0];
  T value = values[i];
  T next = sycl::select_from_group(sub_group, value, (local + 1) % size);
  T following = sycl::shift_group_left(sub_group, value, 2);
  T before = sycl::shift_group_right(sub_group, value, 3);
  T across = sycl::permute_group_by_xor(sub_group, value, 5);
  out[5 * i + 0] = next;
  out[5 * i + 1] = local + 2 < size ? following : value;
  out[5 * i + 2] = local >= 3 ? before : value;
  out[5 * i + 3] = (local ^ 5) < size ? across : value;
  out[5 * i + 4] = sycl::group_broadcast(sub_group, value, size - 1);
}
KERNEL(1) exchanges_u32(const std::uint32_t *values, std::uint32_t *out) {
  exchange_all(values, out);
}
KERNEL(1) exchanges_f64(const double *values, double *out) { exchange_all(values, out); }

// Algorithms over a group.
template <typename Group, typename T> void ask_all(Group over, T value, T *to) {
  auto last = over.get_local_linear_range() - 1;
  to[0] = sycl::reduce_over_group(over, value, sycl::plus<T>());
  to[1] = sycl::reduce_over_group(over, value, sycl::minimum<T>());
  to[2] = sycl::reduce_over_group(over, value, sycl::maximum<T>());
  to[3] = sycl::inclusive_scan_over_group(over, value, sycl::plus<T>());
  to[4] = sycl::exclusive_scan_over_group(over, value, sycl::plus<T>());
  to[5] = sycl::group_broadcast(over, value, last);
  to[6] = sycl::any_of_group(over, value > T(990));
  to[7] = sycl::all_of_group(over, value > T(10));
}
template <typename T> void ask_both(const T *values, T *out) {
  auto item = get_nd_item<1>();
  std::size_t i = item.get_global_id(0);
  ask_all(item.get_group(), values[i], out + 16 * i);
  ask_all(item.get_sub_group(), values[i], out + 16 * i + 8);
}
KERNEL(1) groups_u32(const std::uint32_t *values, std::uint32_t *out) { ask_both(values, out); }
KERNEL(1) groups_i64(const std::int64_t *values, std::int64_t *out) { ask_both(values, out); }
KERNEL(1) groups_f32(const float *values, float *out) { ask_both(values, out); }

// Arithmetic.
KERNEL(1) halves(const sycl::half *x, const sycl::half *y, sycl::half *out) {
  std::size_t i = get_nd_item<1>().get_global_id(0);
  out[i] = x[i] * y[i] + sycl::half(0.5f);
}
KERNEL(1) doubles(const double *x, const double *y, double *out) {
  std::size_t i = get_nd_item<1>().get_global_id(0);
  out[i] = x[i] * y[i] / (y[i] + 3);
}

// Exact and approximate functions, each in its own row.
template <typename T> void compute_all(const T *x, T *out) {
  auto item = get_nd_item<1>();
  std::size_t i = item.get_global_id(0), n = item.get_global_range(0);
  T value = x[i];
  const T results[] = {
      sycl::sqrt(value),        sycl::fabs(-value),         sycl::floor(value),
      sycl::ceil(value),        sycl::trunc(-value),        sycl::fma(value, value, T(1)),
      sycl::fmin(value, T(2)),  sycl::fmax(value, T(2)),    sycl::sin(value),
      sycl::cos(value),         sycl::exp(value),           sycl::log(value),
      sycl::pow(value, T(1.5)), sycl::tanh(value),          sycl::atan2(value, T(3)),
      sycl::cbrt(value),        sycl::fmod(value, T(0.75)), sycl::erf(value)};
  int row = 0;
  for (T result : results)
    out[row++ * n + i] = result;
}
KERNEL(1) math_f32(const float *x, float *out) { compute_all(x, out); }
KERNEL(1) math_f64(const double *x, double *out) { compute_all(x, out); }

// A class by value between scalars of every width.
struct mixed {
  std::int8_t tag;
  std::int32_t number;
  float pair[2];
  double real;
};
KERNEL(1)
arguments(bool flag, std::int8_t small, mixed object, std::uint16_t middle, std::int64_t large,
          double *out) {
  out[0] = flag;
  out[1] = small;
  out[2] = object.tag;
  out[3] = object.number;
  out[4] = object.pair[0];
  out[5] = object.pair[1];
  out[6] = object.real;
  out[7] = middle;
  out[8] = static_cast<double>(large);
}

#undef ATOMICS
#undef KERNEL
