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

// The child sends messages, each a kind, a length and text. If the last one is not a result, error,
// fatal error or lack of memory, the child has crashed.
enum class MessageKind : char {
  Warning = 'W',
  Error = 'E',
  Fatal = 'F',
  Memory = 'M',
  Result = 'R'
};

class Pipe {
public:
  Pipe() {
    if (pipe2(FDs, O_CLOEXEC))
      throw IRError(std::string("cannot make a pipe: ") + strerror(errno));
  }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  Pipe(const Pipe &) = delete;
  Pipe &operator=(const Pipe &) = delete;

  int readEnd() const { return FDs[0]; }
  int writeEnd() const { return FDs[1]; }
  void closeWriteEnd() { closeEnd(1); }

private:
  void closeEnd(unsigned Index) {
    if (FDs[Index] >= 0)
      close(FDs[Index]);
    FDs[Index] = -1;
  }

  int FDs[2];
};

void writeAll(int FD, const void *Data, size_t Size) {
  const char *Next = static_cast<const char *>(Data);
  while (Size) {
    ssize_t Written = write(FD, Next, Size);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      _exit(1); // the parent has ended
    Next += Written;
    Size -= Written;
  }
}

void send(int FD, MessageKind Kind, StringRef Text) {
  uint64_t Size = Text.size();
  writeAll(FD, &Kind, 1);
  writeAll(FD, &Size, sizeof(Size));
  writeAll(FD, Text.data(), Text.size());
}

std::string readAll(int FD) {
  std::string Data;
  char Buffer[1 << 16];
  for (;;) {
    ssize_t Count = read(FD, Buffer, sizeof(Buffer));
    if (Count > 0)
      Data.append(Buffer, Count);
    else if (Count == 0 || errno != EINTR)
      return Data;
  }
}

[[noreturn]] void sendFatalError(void *FD, const char *Reason, bool) {
  send(static_cast<int>(reinterpret_cast<intptr_t>(FD)), MessageKind::Fatal, Reason);
  _exit(1);
}

[[noreturn]] void sendBadAlloc(void *FD, const char *, bool) {
  send(static_cast<int>(reinterpret_cast<intptr_t>(FD)), MessageKind::Memory, "");
  _exit(1);
}

/// Resets Python's and LLVM's handlers, which are meant for the parent.
void resetSignals() {
  for (int Signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGINT, SIGTERM, SIGPIPE})
    signal(Signal, SIG_DFL);
}

Expected<std::string> runAndCheck(ContextHandle &Context,
                                  function_ref<Expected<std::string>()> Work) {
  Expected<std::string> Result = Work();
  if (!Result)
    return Result.takeError();
  if (Error Err = Context.takeErrors())
    return std::move(Err);
  return Result;
}

void runAndSend(ContextHandle &Context, int FD, function_ref<Expected<std::string>()> Work) {
  try {
    Expected<std::string> Result = runAndCheck(Context, Work);
    if (!Result)
      return send(FD, MessageKind::Error, toString(Result.takeError()));
    for (const std::string &Warning : Context.takeWarningsLocked())
      send(FD, MessageKind::Warning, Warning);
    send(FD, MessageKind::Result, *Result);
  } catch (const std::bad_alloc &) {
    send(FD, MessageKind::Memory, "");
  } catch (const std::exception &Exception) {
    send(FD, MessageKind::Error, Exception.what());
  }
}

[[noreturn]] void runChild(ContextHandle &Context, int FD,
                           function_ref<Expected<std::string>()> Work) {
  resetSignals();
  install_fatal_error_handler(sendFatalError, reinterpret_cast<void *>(intptr_t(FD)));
  install_bad_alloc_error_handler(sendBadAlloc, reinterpret_cast<void *>(intptr_t(FD)));
  llvm::thread(std::optional<unsigned>(DeepStackSize), [&] {
    runAndSend(Context, FD, Work);
  }).join();
  _exit(0); // nothing of the parent may be flushed or destroyed here
}

/// Waits for the child and describes how it ended.
std::string waitForEnd(pid_t Child) {
  int Status = 0;
  pid_t Ended;
  do
    Ended = waitpid(Child, &Status, 0);
  while (Ended < 0 && errno == EINTR);
  if (Ended < 0 || !WIFSIGNALED(Status))
    return "it ended early";
  if (WTERMSIG(Status) == SIGKILL)
    return "killed, as the system does when memory runs out";
  const char *Name = strsignal(WTERMSIG(Status));
  return Name ? Name : "signal " + std::to_string(WTERMSIG(Status));
}

/// Returns the result in the child's messages, or throws what they report.
std::string readMessages(StringRef Messages, ContextHandle &Context, const char *Step,
                         const std::string &EndText) {
  while (Messages.size() >= 1 + sizeof(uint64_t)) {
    auto Kind = static_cast<MessageKind>(Messages[0]);
    uint64_t Size;
    memcpy(&Size, Messages.data() + 1, sizeof(Size));
    Messages = Messages.drop_front(1 + sizeof(Size));
    if (Messages.size() < Size)
      break;
    std::string Text = Messages.take_front(Size).str();
    Messages = Messages.drop_front(Size);
    switch (Kind) {
    case MessageKind::Warning:
      Context.addWarning(std::move(Text));
      continue;
    case MessageKind::Error:
      throw IRError(Text);
    case MessageKind::Fatal:
      throw IRError(std::string("LLVM gave up while ") + Step + ": " + Text);
    case MessageKind::Memory:
      throw std::bad_alloc();
    case MessageKind::Result:
      return Text;
    }
  }
  throw IRError(std::string("LLVM crashed while ") + Step + " (" + EndText + ")");
}

} // namespace

std::shared_mutex &insideLLVM() {
  static std::shared_mutex Instance;
  return Instance;
}

std::string runInChild(ContextHandle &Context, const char *Step,
                       function_ref<Expected<std::string>()> Work) {
  std::unique_lock Lock(Context.mutex());
  throwOnError(Context.checkUsable());

  std::optional<Pipe> Channel;
  pid_t Child;
  {
    std::lock_guard LLVMLock(insideLLVM());
    // Created and half closed with the lock held: if another thread's child inherited the write
    // end, reading would wait for that child too.
    Channel.emplace();
    Child = fork();
    if (Child == 0)
      runChild(Context, Channel->writeEnd(), Work);
    Channel->closeWriteEnd();
  }
  if (Child < 0 && errno == ENOMEM)
    throw std::bad_alloc();
  if (Child < 0)
    throw IRError(std::string("cannot start a process for ") + Step + ": " + strerror(errno));
  // The child has its own copy, so other threads may use the context or start children.
  Lock.unlock();
  std::string Messages = readAll(Channel->readEnd());
  std::string EndText = waitForEnd(Child);
  Lock.lock();
  return readMessages(Messages, Context, Step, EndText);
}

} // namespace dovetail
