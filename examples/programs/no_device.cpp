// A selector that wants no device, and what the exception says.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstring>

int main() {
  try {
    sycl::queue queue([](const sycl::device &) { return -1; });
    std::puts("a queue without a device");
    return 1;
  } catch (const sycl::exception &error) {
    bool right = error.code() == sycl::errc::runtime &&
                 error.code() == sycl::make_error_code(sycl::errc::runtime) &&
                 error.code() != sycl::errc::invalid && error.category() == sycl::sycl_category() &&
                 std::strcmp(error.category().name(), "sycl") == 0 && !error.has_context();
    std::printf("no device: %s\n", right ? "ok" : "wrong");
    return right ? 0 : 1;
  }
}
