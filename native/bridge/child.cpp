#include "child.h"

#include "context.h"
#include "errors.h"
#include "guard.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/thread.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

namespace dovetail {

using namespace llvm;

namespace {

// What the child tells: a kind, a length and text, as often as it has something to say. Without a
// last word (a result, error, fatal error or lack of memory) it has crashed.
enum class Kind : char { Warning = 'W', Error = 'E', Fatal = 'F', Memory = 'M', Result = 'R' };

class Pipe {
public:
  Pipe() {
    if (pipe2(ends, O_CLOEXEC))
      throw IRError(std::string("cannot make a pipe: ") + strerror(errno));
  }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;

  int reading() const { return ends[0]; }
  int writing() const { return ends[1]; }
  void closeEnd(int which) {
    if (ends[which] >= 0)
      close(ends[which]);
    ends[which] = -1;
  }

private:
  int ends[2];
};

void writeAll(int file, const void *data, size_t size) {
  const char *next = static_cast<const char *>(data);
  while (size) {
    ssize_t written = write(file, next, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      _exit(1); // the parent is gone
    next += written;
    size -= written;
  }
}

void tell(int file, Kind kind, StringRef text) {
  uint64_t size = text.size();
  writeAll(file, &kind, 1);
  writeAll(file, &size, sizeof(size));
  writeAll(file, text.data(), text.size());
}

std::string readAll(int file) {
  std::string data;
  char buffer[1 << 16];
  for (;;) {
    ssize_t count = read(file, buffer, sizeof(buffer));
    if (count > 0)
      data.append(buffer, count);
    else if (count == 0 || errno != EINTR)
      return data;
  }
}

[[noreturn]] void tellFatalError(void *file, const char *reason, bool) {
  tell(static_cast<int>(reinterpret_cast<intptr_t>(file)), Kind::Fatal, reason);
  _exit(1);
}

[[noreturn]] void tellBadAlloc(void *file, const char *, bool) {
  tell(static_cast<int>(reinterpret_cast<intptr_t>(file)), Kind::Memory, "");
  _exit(1);
}

/// Python's and LLVM's handlers would act for a process that this one is not.
void restoreSignals() {
  for (int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGINT, SIGTERM, SIGPIPE})
    signal(number, SIG_DFL);
}

void workAndTell(ContextHandle &context, int file, function_ref<std::string()> work) {
  try {
    std::string result = work();
    context.throwCollectedErrors();
    for (const std::string &warning : context.takeWarningsLocked())
      tell(file, Kind::Warning, warning);
    tell(file, Kind::Result, result);
  } catch (const std::bad_alloc &) {
    tell(file, Kind::Memory, "");
  } catch (const std::exception &error) {
    tell(file, Kind::Error, error.what());
  }
}

[[noreturn]] void beChild(ContextHandle &context, int file, function_ref<std::string()> work) {
  restoreSignals();
  install_fatal_error_handler(tellFatalError, reinterpret_cast<void *>(intptr_t(file)));
  install_bad_alloc_error_handler(tellBadAlloc, reinterpret_cast<void *>(intptr_t(file)));
  llvm::thread(std::optional<unsigned>(deepStack), [&] {
    workAndTell(context, file, work);
  }).join();
  _exit(0); // nothing of the parent's may be flushed or destroyed here
}

std::string describeEnd(pid_t child) {
  int status = 0;
  pid_t ended;
  do
    ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0 || !WIFSIGNALED(status))
    return "it ended early";
  if (WTERMSIG(status) == SIGKILL)
    return "killed, as the system does when memory runs out";
  const char *name = strsignal(WTERMSIG(status));
  return name ? name : "signal " + std::to_string(WTERMSIG(status));
}

/// The result, if that is the child's last word.
std::string understand(StringRef told, ContextHandle &context, const char *step,
                       const std::string &end) {
  while (told.size() >= 1 + sizeof(uint64_t)) {
    Kind kind = Kind(told[0]);
    uint64_t size;
    memcpy(&size, told.data() + 1, sizeof(size));
    told = told.drop_front(1 + sizeof(size));
    if (told.size() < size)
      break;
    std::string text = told.take_front(size).str();
    told = told.drop_front(size);
    switch (kind) {
    case Kind::Warning:
      context.addWarning(std::move(text));
      continue;
    case Kind::Error:
      throw IRError(text);
    case Kind::Fatal:
      throw IRError(std::string("LLVM gave up while ") + step + ": " + text);
    case Kind::Memory:
      throw std::bad_alloc();
    case Kind::Result:
      return text;
    }
  }
  throw IRError(std::string("LLVM crashed while ") + step + " (" + end + ")");
}

} // namespace

std::shared_mutex &insideLLVM() {
  static std::shared_mutex instance;
  return instance;
}

std::string runInChild(ContextHandle &context, const char *step, function_ref<std::string()> work) {
  std::unique_lock lock(context.mutex());
  context.requireSound();

  std::optional<Pipe> pipe;
  pid_t child;
  {
    std::lock_guard alone(insideLLVM());
    // Made and half closed again with the lock held: another thread's child must not inherit the
    // writing end, or reading would wait for that child too.
    pipe.emplace();
    child = fork();
    if (child == 0)
      beChild(context, pipe->writing(), work);
    pipe->closeEnd(1);
  }
  if (child < 0 && errno == ENOMEM)
    throw std::bad_alloc();
  if (child < 0)
    throw IRError(std::string("cannot start a process for ") + step + ": " + strerror(errno));
  // The child has all of it for itself; meanwhile others may use the context, or start children.
  lock.unlock();
  std::string told = readAll(pipe->reading());
  std::string end = describeEnd(child);
  lock.lock();
  return understand(told, context, step, end);
}

} // namespace dovetail
