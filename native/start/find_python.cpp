// The places, in order: the variable DOVETAIL_RUNTIME, a folder next to the program or library, the
// Python that linked it, and PATH. An interpreter says itself where its shared library is, except
// in a bundle, which has a link to it.
#include "find_python.h"

#include <sycl/detail/host/start.hpp>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using sycl::detail::host::dovetail_recorded_python;

namespace dovetail {

namespace {

const char *const variable = "DOVETAIL_RUNTIME";
// Next to a program: the runtime of a bundle, or a virtual environment.
const char *const neighbour = "dovetail-runtime";

// Prints the path of the interpreter's shared library, or nothing if it has none.
const char *const question = "from dovetail.interpreter import shared_library\n"
                             "print(shared_library() or '', end='')\n";

bool is_program(const char *path) {
  struct stat status{};
  return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

// Sets `path` to the directory that contains a file.
void set_folder(char (&path)[PATH_MAX], const char *file) {
  std::snprintf(path, sizeof(path), "%s", file);
  if (char *slash = std::strrchr(path, '/'))
    *slash = '\0';
  else
    std::snprintf(path, sizeof(path), ".");
}

std::size_t read_all(int file, char *text, std::size_t size) {
  std::size_t length = 0;
  while (length + 1 < size) {
    ssize_t count = read(file, text + length, size - 1 - length);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    length += static_cast<std::size_t>(count);
  }
  text[length] = '\0';
  return length;
}

// Runs the interpreter and reads its answer; false if it cannot import Dovetail.
bool ask(const char *interpreter, char (&answer)[PATH_MAX]) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const char *const arguments[] = {interpreter, "-P", "-c", question, nullptr};
  pid_t child = 0;
  bool started = !posix_spawn(&child, interpreter, &actions, nullptr,
                              const_cast<char *const *>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (started)
    read_all(ends[0], answer, sizeof(answer));
  close(ends[0]);
  int status = 0; // stays 0 if the program ignores the ends of child processes
  while (started && waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return started && status == 0;
}

// Uses an interpreter if it has Dovetail and a shared library.
bool use(const char *interpreter, python_location &found, const message &problem) {
  if (!ask(interpreter, found.library)) {
    problem.set("the package 'dovetail' is not installed for %s", interpreter);
    return false;
  }
  if (!*found.library) {
    problem.set("%s has no shared library; install it (on Debian the package libpython3-dev), or"
                " use a Python that was configured with --enable-shared",
                interpreter);
    return false;
  }
  std::snprintf(found.interpreter, sizeof(found.interpreter), "%s", interpreter);
  return true;
}

bool use_recorded(python_location &found, const message &problem) {
  const auto *recorded = &dovetail_recorded_python;
  if (!recorded || !is_program(recorded->interpreter))
    return false;
  if (!*recorded->library || access(recorded->library, R_OK))
    return use(recorded->interpreter, found, problem);
  std::snprintf(found.interpreter, sizeof(found.interpreter), "%s", recorded->interpreter);
  std::snprintf(found.library, sizeof(found.library), "%s", recorded->library);
  return true;
}

// Appends a name to a folder; false if the path is too long.
bool join(char (&path)[PATH_MAX], const char *folder, const char *name) {
  return std::snprintf(path, sizeof(path), "%s/%s", folder, name) < PATH_MAX;
}

// Uses a virtual environment, or the runtime of a bundle, which need not be asked for its library.
bool use_folder(const char *folder, python_location &found, const message &problem) {
  char interpreter[PATH_MAX];
  char library[PATH_MAX];
  if (!join(interpreter, folder, "bin/python3") || !join(library, folder, "lib/libpython.so") ||
      !is_program(interpreter))
    return false;
  if (!realpath(library, found.library))
    return use(interpreter, found, problem);
  std::snprintf(found.interpreter, sizeof(found.interpreter), "%s", interpreter);
  found.is_bundle = true;
  return true;
}

// The variable's value is an interpreter, or the folder of a runtime.
bool use_variable(const char *value, python_location &found, const message &problem) {
  char why[PATH_MAX + 256] = "there is no Python";
  const message reason{why, sizeof(why)};
  const auto *recorded = &dovetail_recorded_python;
  // It need not be asked.
  if (recorded && !std::strcmp(value, recorded->interpreter))
    return use_recorded(found, problem);
  if (is_program(value) ? use(value, found, reason) : use_folder(value, found, reason))
    return true;
  problem.set("%s is set to '%s', which cannot be used: %s", variable, value, why);
  return false;
}

// Whether the owner of the runtime, and of a link to it, may run code where `file` does: in a
// folder that all users can write to, another one could put a runtime next to a program.
bool has_trusted_owner(const char *runtime, const char *file) {
  struct stat own{};
  struct stat link{};
  struct stat given{};
  if (lstat(runtime, &link) || stat(runtime, &given) || stat(file, &own))
    return false;
  auto is_trusted = [&](uid_t owner) {
    return owner == own.st_uid || owner == 0 || owner == geteuid();
  };
  return is_trusted(link.st_uid) && is_trusted(given.st_uid);
}

// Uses a runtime next to a file.
bool use_neighbour(const char *file, python_location &found, const message &problem) {
  char folder[PATH_MAX];
  char runtime[PATH_MAX];
  set_folder(folder, file);
  return join(runtime, folder, neighbour) && has_trusted_owner(runtime, file) &&
         use_folder(runtime, found, problem);
}

bool use_neighbours(python_location &found, const message &problem) {
  char path[PATH_MAX] = "";
  if (readlink("/proc/self/exe", path, sizeof(path) - 1) > 0 && use_neighbour(path, found, problem))
    return true;
  Dl_info own{};
  return dladdr(reinterpret_cast<void *>(&use_neighbours), &own) && own.dli_fname &&
         use_neighbour(own.dli_fname, found, problem);
}

// In PATH, Dovetail's Python is next to the command `dovetail`.
bool use_path(python_location &found, const message &problem) {
  const char *folder = secure_getenv("PATH");
  while (folder && *folder) {
    int length = static_cast<int>(std::strcspn(folder, ":"));
    char command[PATH_MAX];
    char python[PATH_MAX];
    std::snprintf(command, sizeof(command), "%.*s/dovetail", length, folder);
    std::snprintf(python, sizeof(python), "%.*s/python3", length, folder);
    if (length && is_program(command) && is_program(python) && use(python, found, problem))
      return true;
    folder += length;
    folder += *folder == ':';
  }
  return false;
}

} // namespace

void message::set(const char *format, ...) const {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, size, format, arguments);
  va_end(arguments);
}

bool find_python(python_location &found, const message &problem) {
  const char *value = secure_getenv(variable);
  if (value && *value)
    return use_variable(value, found, problem);
  char why[PATH_MAX + 256] = "";
  const message reason{why, sizeof(why)};
  if (use_neighbours(found, reason) || use_recorded(found, reason) || use_path(found, reason))
    return true;
  const auto *recorded = &dovetail_recorded_python;
  if (*why)
    problem.set("%s", why);
  else if (recorded)
    problem.set("%s, which linked it, does not exist; set %s to a Python with the package"
                " 'dovetail'",
                recorded->interpreter, variable);
  else
    problem.set("there is no Python with the package 'dovetail'; set %s to one", variable);
  return false;
}

} // namespace dovetail
