// Work that is submitted by free functions, and by kernels of bundles.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace exp = sycl::ext::oneapi::experimental;

int errors = 0;
void expect(bool holds, int line) {
  if (!holds) {
    ++errors;
    std::printf("line %d\n", line);
  }
}
#define EXPECT(...) expect((__VA_ARGS__), __LINE__)

constexpr std::size_t n = 32;

void free_functions(sycl::queue &q) {
  int *values = sycl::malloc_shared<int>(n, q), *others = sycl::malloc_shared<int>(n, q);
  exp::fill(q, values, 1, n);
  exp::parallel_for(q, sycl::range<1>(n), [=](sycl::id<1> i) { values[i] += 1; });
  exp::nd_launch(q, sycl::nd_range<1>(n, 8), [=](sycl::nd_item<1> i) {
    values[i.get_global_id(0)] += static_cast<int>(i.get_group(0));
  });
  exp::nd_launch<class configured>(q, exp::launch_config(sycl::nd_range<1>(n, 8)),
                                   [=](sycl::nd_item<1> i) { values[i.get_global_id(0)] += 10; });
  exp::single_task(q, [=] { values[0] = 100; });
  exp::copy(q, values, others, n);
  exp::memset(q, others + 1, 0, sizeof(int));
  exp::barrier(q);
  int seen = 0;
  exp::host_task(q, [&] { seen = others[0]; });
  sycl::event last = exp::submit_with_event(q, [&](sycl::handler &h) {
    exp::parallel_for(h, exp::launch_config(sycl::range<2>(4, 8)),
                      [=](sycl::item<2> i) { others[i.get_linear_id()] += 1000; });
  });
  exp::partial_barrier(q, {last});
  exp::submit(q, [&](sycl::handler &h) { exp::memcpy(h, values + 1, others + 1, sizeof(int)); });
  exp::prefetch(q, values, n * sizeof(int));
  q.wait();
  EXPECT(seen == 100 && values[1] == 1000 && values[31] == 15 && others[31] == 1015);
  sycl::free(values, q);
  sycl::free(others, q);
}

template <typename Function> bool fails(sycl::errc expected, const Function &function) {
  try {
    function();
  } catch (const sycl::exception &e) {
    return e.code() == expected;
  }
  return false;
}

class of_bundle;
class other_kernel;

void kernels_of_bundles(sycl::queue &q) {
  auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  sycl::kernel bundled = bundle.get_kernel<of_bundle>();
  int *values = sycl::malloc_shared<int>(n, q);
  q.submit([&](sycl::handler &h) {
     h.parallel_for<of_bundle>(bundled, sycl::range<1>(n),
                               [=](sycl::id<1> i) { values[i] = static_cast<int>(i); });
   }).wait();
  EXPECT(values[7] == 7);
  EXPECT(fails(sycl::errc::invalid, [&] {
    q.submit(
        [&](sycl::handler &h) { h.single_task<other_kernel>(bundled, [=] { values[0] = 9; }); });
  }));
  sycl::free(values, q);
}

int main() {
  sycl::queue q{sycl::property::queue::in_order()};
  free_functions(q);
  kernels_of_bundles(q);
  EXPECT(fails(sycl::errc::feature_not_supported, [&] {
    q.get_device().create_sub_devices<sycl::info::partition_property::partition_equally>(1);
  }));
  std::printf("enqueue functions: %d errors\n", errors);
  return errors;
}
