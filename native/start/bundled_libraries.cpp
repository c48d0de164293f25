#include "bundled_libraries.h"

#include <climits>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>

namespace dovetail {

namespace {

// The machine's own library comes first: other code of the process may use it.
bool is_loaded(const char *folder, const char *name) {
  char path[PATH_MAX];
  if (dlopen(name, RTLD_LAZY | RTLD_NOLOAD))
    return true;
  return !dlopen(name, RTLD_LAZY) &&
         std::snprintf(path, sizeof(path), "%s/%s", folder, name) < PATH_MAX &&
         dlopen(path, RTLD_LAZY);
}

// Returns the number of libraries of a folder that are loaded afterwards.
int load_all(const char *folder) {
  DIR *listed = opendir(folder);
  int count = 0;
  while (dirent *entry = listed ? readdir(listed) : nullptr)
    count += *entry->d_name != '.' && is_loaded(folder, entry->d_name);
  if (listed)
    closedir(listed);
  return count;
}

} // namespace

void load_missing_libraries(const char *python_library) {
  char folder[PATH_MAX];
  const char *end = std::strrchr(python_library, '/');
  int length = end ? static_cast<int>(end - python_library) : 0;
  if (std::snprintf(folder, sizeof(folder), "%.*s/system", length, python_library) >= PATH_MAX)
    return;
  // Those that need others can be loaded after them.
  for (int before = 0, now = load_all(folder); now > before; now = load_all(folder))
    before = now;
}

} // namespace dovetail
