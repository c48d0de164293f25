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

  int reading() const { return FDs[0]; }
  int writing() const { return FDs[1]; }
  void closeEnd(int Which) {
    if (FDs[Which] >= 0)
      close(FDs[Which]);
    FDs[Which] = -1;
  }

private:
  int FDs[2];
};

void writeAll(int FD, const void *Data, size_t Size) {
  const char *Next = static_cast<const char *>(Data);
  while (Size) {
    ssize_t Written = write(FD, Next, Size);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      _exit(1); // the parent is gone
    Next += Written;
    Size -= Written;
  }
}

void tell(int FD, MessageKind Kind, StringRef Text) {
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

[[noreturn]] void tellFatalError(void *FD, const char *Reason, bool) {
  tell(static_cast<int>(reinterpret_cast<intptr_t>(FD)), MessageKind::Fatal, Reason);
  _exit(1);
}

[[noreturn]] void tellBadAlloc(void *FD, const char *, bool) {
  tell(static_cast<int>(reinterpret_cast<intptr_t>(FD)), MessageKind::Memory, "");
  _exit(1);
}

/// Python's and LLVM's handlers would act for a process that this one is not.
void restoreSignals() {
  for (int Signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGINT, SIGTERM, SIGPIPE})
    signal(Signal, SIG_DFL);
}

void workAndTell(ContextHandle &Context, int FD, function_ref<std::string()> Work) {
  try {
    std::string Result = Work();
    Context.throwCollectedErrors();
    for (const std::string &Warning : Context.takeWarningsLocked())
      tell(FD, MessageKind::Warning, Warning);
    tell(FD, MessageKind::Result, Result);
  } catch (const std::bad_alloc &) {
    tell(FD, MessageKind::Memory, "");
  } catch (const std::exception &Err) {
    tell(FD, MessageKind::Error, Err.what());
  }
}

[[noreturn]] void beChild(ContextHandle &Context, int FD, function_ref<std::string()> Work) {
  restoreSignals();
  install_fatal_error_handler(tellFatalError, reinterpret_cast<void *>(intptr_t(FD)));
  install_bad_alloc_error_handler(tellBadAlloc, reinterpret_cast<void *>(intptr_t(FD)));
  llvm::thread(std::optional<unsigned>(DeepStack), [&] { workAndTell(Context, FD, Work); }).join();
  _exit(0); // nothing of the parent's may be flushed or destroyed here
}

std::string describeEnd(pid_t Child) {
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

/// The result, if that is the child's last word.
std::string understand(StringRef Messages, ContextHandle &Context, const char *Step,
                       const std::string &EndText) {
  while (Messages.size() >= 1 + sizeof(uint64_t)) {
    MessageKind Kind = MessageKind(Messages[0]);
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

std::string runInChild(ContextHandle &Context, const char *Step, function_ref<std::string()> Work) {
  std::unique_lock Lock(Context.mutex());
  Context.requireSound();

  std::optional<Pipe> Channel;
  pid_t Child;
  {
    std::lock_guard LLVMLock(insideLLVM());
    // Made and half closed again with the lock held: another thread's child must not inherit the
    // writing end, or reading would wait for that child too.
    Channel.emplace();
    Child = fork();
    if (Child == 0)
      beChild(Context, Channel->writing(), Work);
    Channel->closeEnd(1);
  }
  if (Child < 0 && errno == ENOMEM)
    throw std::bad_alloc();
  if (Child < 0)
    throw IRError(std::string("cannot start a process for ") + Step + ": " + strerror(errno));
  // The child has all of it for itself; meanwhile others may use the context, or start children.
  Lock.unlock();
  std::string Messages = readAll(Channel->reading());
  std::string EndText = describeEnd(Child);
  Lock.lock();
  return understand(Messages, Context, Step, EndText);
}

} // namespace dovetail
