// Errors of buffers, accessors and command groups, caught with their codes.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <exception>

template <typename Action> static bool fails_with(sycl::errc code, Action action) {
  try {
    action();
  } catch (const sycl::exception &error) {
    return error.code() == code && error.what()[0] != '\0';
  }
  return false;
}

int main() {
  sycl::queue queue;
  sycl::buffer<int> buffer{sycl::range<1>(16)};

  // Part of a buffer that goes beyond its end.
  bool too_far = fails_with(sycl::errc::invalid, [&] {
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor data(buffer, handler, sycl::range<1>(10), sycl::id<1>(10), sycl::read_write);
      handler.parallel_for(10, [=](sycl::id<1> i) { data[i] = 1; });
    });
  });

  // A command group has one command.
  bool two_commands = fails_with(sycl::errc::invalid, [&] {
    queue.submit([&](sycl::handler &handler) {
      handler.single_task([] {});
      handler.single_task([] {});
    });
  });

  // What the command group itself throws comes out of submit.
  bool own = false;
  try {
    queue.submit([&](sycl::handler &) { throw 42; });
  } catch (int value) {
    own = value == 42;
  }

  // Code that does not use SYCL can catch it as a standard exception.
  bool standard = false;
  try {
    throw sycl::exception(sycl::make_error_code(sycl::errc::feature_not_supported), "not here");
  } catch (const std::exception &error) {
    standard = error.what()[0] == 'n';
  }

  std::printf("invalid access: %s\n", too_far && two_commands && own && standard ? "ok" : "wrong");
  return too_far && two_commands && own && standard ? 0 : 1;
}
