"""A library with a kernel, for programs that have kernels of their own."""

# `library_answer(x)` is x + 7.
SOURCE = """\
#include <sycl/sycl.hpp>
int library_answer(int x) {
  sycl::queue queue;
  int *number = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *number = x + 7; }).wait();
  return *number;
}
"""
