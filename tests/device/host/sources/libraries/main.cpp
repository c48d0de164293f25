// Loads libraries and starts kernels, as its arguments say; prints what comes of each.
#include <sycl/sycl.hpp>

#include "libraries.hpp"
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <string>
#include <thread>
#include <vector>

SYCL_EXTERNAL int main_step(int x) { return x + 1; }

static std::map<std::string, void *> opened;
static std::vector<sycl::kernel_id> remembered;

template <typename Kernel> static int result_of(Kernel kernel) {
  static sycl::queue queue;
  int *result = sycl::malloc_shared<int>(1, queue);
  queue.single_task<Kernel>([=] { *result = kernel(); }).wait();
  int found = *result;
  sycl::free(result, queue);
  return found;
}

struct calls_scale {
  int operator()() const { return scale(5); }
};
struct calls_first {
  int operator()() const { return first(5); }
};
struct calls_wide {
  int operator()() const { return wide(5); }
};

static void names() {
  for (const sycl::kernel_id &id : sycl::get_kernel_ids())
    std::printf("[%s]", id.get_name());
  std::puts("");
}

static void remember(const char *name) {
  for (const sycl::kernel_id &id : sycl::get_kernel_ids())
    if (!std::strcmp(id.get_name(), name))
      remembered.push_back(id);
  std::printf("remembered %zu\n", remembered.size());
}

static void build_remembered() {
  sycl::context context;
  sycl::get_kernel_bundle<sycl::bundle_state::executable>(context, remembered);
  std::puts("built");
}

static void open(const char *path) {
  void *library = dlopen(path, RTLD_LAZY);
  if (!library)
    std::printf("cannot open: %s\n", dlerror());
  else
    opened[path] = library;
}

// Kernels that need a library which comes and goes meanwhile: they run, or are told that it is
// gone.
static void launch_while_opening(const char *path) {
  std::atomic<bool> done = false;
  std::thread opening([&] {
    for (int i = 0; i < 30; ++i)
      dlclose(dlopen(path, RTLD_LAZY));
    done = true;
  });
  bool right = true;
  while (!done) {
    try {
      right = result_of(calls_scale()) == 10 && right;
    } catch (const sycl::exception &e) {
      right = e.code() == sycl::errc::build && right;
    }
  }
  opening.join();
  std::puts(right ? "right" : "wrong");
}

static void act(std::string what, const char *with) {
  if (what == "open")
    open(with);
  else if (what == "close")
    dlclose(opened.at(with));
  else if (what == "start")
    std::printf("%d\n", reinterpret_cast<int (*)(int)>(dlsym(opened.at(with), "start"))(5));
  else if (what == "scale")
    std::printf("%d\n", result_of(calls_scale()));
  else if (what == "first")
    std::printf("%d\n", result_of(calls_first()));
  else if (what == "wide")
    std::printf("%d\n", result_of(calls_wide()));
  else if (what == "launch_while_opening")
    launch_while_opening(with);
  else if (what == "names")
    names();
  else if (what == "remember")
    remember(with);
  else if (what == "build")
    build_remembered();
  else
    std::abort();
}

int main(int, char **argv) {
  while (const char *word = *++argv) {
    const char *with = std::strchr(word, '=');
    std::string what(word, with ? with - word : std::strlen(word));
    try {
      act(what, with ? with + 1 : "");
    } catch (const sycl::exception &e) {
      std::printf("%d %s\n", e.code().value(), e.what());
    }
    std::fflush(stdout);
  }
}
