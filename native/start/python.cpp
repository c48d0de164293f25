// The interpreter of a bundle. That of the Python installation may find its shared library only
// where it is installed.
#include "bundled_libraries.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

int main(int argc, char **argv) {
  static char own[PATH_MAX];
  char link[PATH_MAX];
  char library[PATH_MAX];
  char *name =
      readlink("/proc/self/exe", own, sizeof(own) - 1) > 0 ? std::strrchr(own, '/') : nullptr;
  if (!name)
    return 127;
  int length = static_cast<int>(name - own);
  if (std::snprintf(link, sizeof(link), "%.*s/../lib/libpython.so", length, own) >= PATH_MAX ||
      !realpath(link, library)) {
    std::fprintf(stderr, "%s: the bundle is incomplete: there is no '%s'\n", own, link);
    return 127;
  }
  dovetail::load_missing_libraries(library);
  void *python = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  void *run = python ? dlsym(python, "Py_BytesMain") : nullptr;
  if (!run) {
    std::fprintf(stderr, "%s: %s\n", own, dlerror());
    return 127;
  }
  // Python searches its modules from here.
  argv[0] = own;
  return reinterpret_cast<int (*)(int, char **)>(run)(argc, argv);
}
