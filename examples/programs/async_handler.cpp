// An asynchronous handler: called when work has failed, and only then.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <exception>

int main() {
  int calls = 0;
  auto handler = [&calls](sycl::exception_list errors) {
    for (const std::exception_ptr &error : errors) {
      try {
        std::rethrow_exception(error);
      } catch (const sycl::exception &) {
        ++calls;
      }
    }
  };

  sycl::queue queue(sycl::default_selector_v, handler);
  sycl::queue ordered(queue.get_device(), handler, sycl::property::queue::in_order());
  int *out = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *out = 1; });
  queue.wait_and_throw();
  sycl::event event = ordered.single_task([=] { *out += 1; });
  event.wait_and_throw();
  ordered.throw_asynchronous();

  bool right = *out == 2 && calls == 0;
  sycl::free(out, queue);
  std::printf("asynchronous handler: %s, %d calls\n", right ? "ok" : "wrong", calls);
  return right ? 0 : 1;
}
