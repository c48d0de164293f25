// Starts the runtime in this process, on the first use of SYCL.
//
// If the process already runs a Python interpreter, the runtime shares it; else one is started. All
// the rest is decided in Python (dovetail.runtime.host.attach).
#include "bundled_libraries.h"
#include "find_python.h"

#include <sycl/detail/host/start.hpp>

#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace dovetail {

namespace {

using namespace sycl::detail::host;

// Writes the message of any failure to `text`. Without Dovetail, another Python of the same version
// can use the packages of the one that linked this code, whose `recorded_python` is at `recorded`.
constexpr char script[] = R"(
def _dovetail(record, text, size, recorded):
    import ctypes, os, sys
    words = (ctypes.c_char_p * 4).from_address(recorded)
    python, _, version, folders = (os.fsdecode(word) for word in words)
    here = '.'.join(map(str, sys.version_info[:2]))
    running = f'this process runs Python {here} ({sys.executable or sys.prefix})'
    try:
        try:
            import dovetail
        except ModuleNotFoundError:
            if not python:
                raise ImportError(f"{running}, which has no package 'dovetail'; install it there")
            if here != version:
                raise ImportError(f"{running}, which has no package 'dovetail', and cannot use that"
                                  f" of {python}, which is for Python {version}; install it there,"
                                  f" or use Python {version}")
            sys.path += [each for each in folders.split(':') if each not in sys.path]
        from dovetail.runtime.host.attach import attach
        attach(record)
    except BaseException as error:
        kind = '' if isinstance(error, ImportError) else type(error).__name__ + ': '
        message = (kind + str(error)).encode(errors='replace')[:size - 1] + b'\0'
        ctypes.memmove(text, message, len(message))
)";

// Functions of Python, which is not there when this is linked.
class python_library {
public:
  explicit python_library(void *handle) : handle(handle) {}

  explicit operator bool() const { return handle; }
  bool has(const char *name) const { return dlsym(handle, name); }
  bool is_initialized() const { return handle && call<int>("Py_IsInitialized"); }

  template <typename Result, typename... Types>
  Result call(const char *name, Types... arguments) const {
    return reinterpret_cast<Result (*)(Types...)>(dlsym(handle, name))(arguments...);
  }

  template <typename Type> Type *variable(const char *name) const {
    return static_cast<Type *>(dlsym(handle, name));
  }

private:
  void *handle;
};

// Returns the Python library that the process has loaded, whoever loaded it.
python_library loaded_python() {
  void *process = dlopen(nullptr, RTLD_LAZY);
  if (process && dlsym(process, "Py_IsInitialized"))
    return python_library(process);
  char name[PATH_MAX] = "";
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *found) {
        if (!std::strstr(info->dlpi_name, "/libpython3."))
          return 0;
        std::snprintf(static_cast<char *>(found), PATH_MAX, "%s", info->dlpi_name);
        return 1;
      },
      name);
  // A program that has loaded it for itself: extension modules need its symbols, too.
  void *library = *name ? dlopen(name, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL) : nullptr;
  return python_library(library && dlsym(library, "Py_IsInitialized") ? library : nullptr);
}

// Lets LeakSanitizer see what Python's objects refer to: it does not search Python's own pools.
class searchable_allocations {
public:
  searchable_allocations()
      : is_set(dlsym(RTLD_DEFAULT, "__lsan_do_leak_check") && !std::getenv(variable) &&
               !setenv(variable, "malloc", 0)) {}
  ~searchable_allocations() {
    if (is_set)
      unsetenv(variable);
  }
  searchable_allocations(const searchable_allocations &) = delete;
  searchable_allocations &operator=(const searchable_allocations &) = delete;

private:
  static constexpr const char *variable = "PYTHONMALLOC";
  bool is_set;
};

// Lets a Python ignore its variables and the user's packages, which may be for another one.
void isolate(const python_library &python) {
  static const char *const flags[] = {"Py_IgnoreEnvironmentFlag", "Py_NoUserSiteDirectory"};
  for (const char *name : flags)
    if (int *flag = python.variable<int>(name))
      *flag = 1;
}

bool start_python(const message &problem) {
  static python_location where;
  if (!find_python(where, problem))
    return false;
  if (where.is_bundle)
    load_missing_libraries(where.library);
  // Extension modules look for Python's symbols in the whole process.
  python_library python(dlopen(where.library, RTLD_NOW | RTLD_GLOBAL));
  if (!python) {
    problem.set("cannot load the library of %s: %s", where.interpreter, dlerror());
    return false;
  }
  if (!python.has("Py_SetProgramName")) {
    problem.set("%s is a Python that programs cannot start; use Python 3.11 to 3.14",
                where.interpreter);
    return false;
  }
  // The locale and the handler of interrupts are the program's, and Python sets them.
  char locale[1024];
  std::snprintf(locale, sizeof(locale), "%s", std::setlocale(LC_ALL, nullptr));
  if (where.is_bundle)
    isolate(python);
  // With the name of a virtual environment's interpreter, Python uses that environment.
  static wchar_t *name;
  name = python.call<wchar_t *>("Py_DecodeLocale", +where.interpreter,
                                static_cast<std::size_t *>(nullptr));
  python.call<void>("Py_SetProgramName", static_cast<const wchar_t *>(name));
  struct sigaction interrupt;
  sigaction(SIGINT, nullptr, &interrupt);
  {
    searchable_allocations during_start;
    python.call<void>("Py_InitializeEx", 0);
  }
  // The first import of `signal` installs a handler that only sets a flag for Python's main loop.
  static const char *const no_handler = "import signal\n"
                                        "signal.signal(signal.SIGINT, signal.SIG_DFL)\n"
                                        "del signal\n";
  python.call<int>("PyRun_SimpleStringFlags", no_handler, nullptr);
  sigaction(SIGINT, &interrupt, nullptr);
  std::setlocale(LC_ALL, locale);
  // Every thread, including this one, takes Python's lock when it needs it.
  python.call<void *>("PyEval_SaveThread");
  return true;
}

void attach(const python_library &python, process_record *record, const message &problem) {
  static const recorded_python nothing{"", "", "", ""};
  const recorded_python *recorded = &dovetail_recorded_python;
  char code[4096];
  static_assert(sizeof(script) + 256 < sizeof(code));
  std::snprintf(code, sizeof(code), "%s\n_dovetail(%#zx, %#zx, %zu, %#zx)\n", script,
                reinterpret_cast<std::size_t>(record), reinterpret_cast<std::size_t>(problem.text),
                problem.size, reinterpret_cast<std::size_t>(recorded ? recorded : &nothing));
  constexpr int file_input = 257; // Py_file_input
  int state = python.call<int>("PyGILState_Ensure");
  // Names of its own: several threads may be here.
  void *names = python.call<void *>("PyDict_New");
  void *result = python.call<void *>("PyRun_StringFlags", +code, file_input, names, names, nullptr);
  if (!result)
    python.call<void>("PyErr_Print");
  python.call<void>("Py_DecRef", result);
  python.call<void>("Py_DecRef", names);
  python.call<void>("PyGILState_Release", state);
}

// Only one thread of the process starts Python. This is not Python's lock, which a thread may hold
// that calls a library: then Python is running.
class starting {
public:
  explicit starting(process_record *record) : record(record) {
    while (__atomic_exchange_n(&record->is_starting, 1, __ATOMIC_ACQUIRE))
      usleep(1000);
  }
  ~starting() { __atomic_store_n(&record->is_starting, 0, __ATOMIC_RELEASE); }
  starting(const starting &) = delete;
  starting &operator=(const starting &) = delete;

private:
  process_record *record;
};

} // namespace

} // namespace dovetail

void sycl::detail::host::dovetail_start_runtime(process_record *record, char *problem,
                                                std::size_t size) noexcept {
  using namespace dovetail;
  const message reason{problem, size};
  reason.set("the runtime did not start");
  python_library python = loaded_python();
  if (!python.is_initialized()) {
    starting alone(record);
    python = loaded_python();
    if (!python.is_initialized()) {
      if (python) {
        reason.set("this process has loaded a Python library that is not initialized; initialize"
                   " Python before the first use of SYCL");
        return;
      }
      if (!start_python(reason))
        return;
      record->owns_python = 1;
      python = loaded_python();
    }
  }
  attach(python, record, reason);
}
