// Launches that cannot be: each prints the number of its error, whether the command group's
// function or submit threw it, and what it says.
#include <cstdio>
#include <sycl/sycl.hpp>

class required_2_by_32;
class required_32;
class needy;
class only_on_the_host;
class fitting;
SYCL_EXTERNAL int defined_nowhere(int number, float factor);

template <typename Start> void attempt(const char *label, sycl::queue &q, Start start) {
  bool was_thrown_late = true;
  try {
    q.submit([&](sycl::handler &h) {
      try {
        start(h);
      } catch (const sycl::exception &) {
        was_thrown_late = false;
        throw;
      }
    });
    std::printf("%s: nothing\n", label);
  } catch (const sycl::exception &e) {
    std::printf("%s: %d%s %s\n", label, e.code().value(), was_thrown_late ? " by submit" : "",
                e.what());
  }
}

void start(sycl::queue &q, int *p) {
  q.single_task<class known_here_alone>([=] { *p = 1; });
}

int main() {
  sycl::queue q([](sycl::exception_list) { std::puts("asynchronous"); });
  int *p = sycl::malloc_shared<int>(1, q);
  auto two = [=](sycl::nd_item<2>) [[sycl::reqd_work_group_size(2, 32)]] { *p = 1; };
  attempt("other size", q, [&](sycl::handler &h) {
    h.parallel_for<required_2_by_32>(sycl::nd_range<2>({4, 64}, {4, 16}), two);
  });
  attempt("indivisible", q, [&](sycl::handler &h) {
    h.parallel_for<required_32>(sycl::range<1>(100),
                                [=](sycl::item<1>) [[sycl::reqd_work_group_size(32)]] { *p = 1; });
  });
  attempt("too large", q, [&](sycl::handler &h) {
    h.parallel_for<fitting>(sycl::nd_range<1>(1 << 20, 1 << 20), [=](sycl::nd_item<1>) { *p = 1; });
  });
#ifndef __SYCL_DEVICE_ONLY__
  attempt("no device code", q,
          [&](sycl::handler &h) { h.single_task<only_on_the_host>([=] { *p = 1; }); });
#endif
  start(q, p);
  attempt("a local name", q,
          [&](sycl::handler &) { sycl::get_kernel_id<class known_here_alone>(); });
  attempt("missing import", q,
          [&](sycl::handler &h) { h.single_task<needy>([=] { *p = defined_nowhere(*p, 2.0f); }); });
  q.wait_and_throw();
}
