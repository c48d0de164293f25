#include "guard.h"

#include "child.h"
#include "context.h"
#include "errors.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <csignal>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <shared_mutex>

namespace dovetail {

using namespace llvm;

namespace {

/// What report_fatal_error turns into. LLVM's frames are unwound without their destructors, which
/// is one reason why the context is given up.
struct FatalError {
  std::string Reason;
};

[[noreturn]] void throwFatalError(void *, const char *Reason, bool) { throw FatalError{Reason}; }

/// Without it, LLVM would end the process. Python sees a MemoryError.
[[noreturn]] void throwBadAlloc(void *, const char *, bool) { throw std::bad_alloc(); }

/// Has LLVM's process-wide handlers (signals, fatal errors, memory) installed while at least one
/// guarded call runs, and the previous ones back afterwards.
class ProcessHandlers {
public:
  ProcessHandlers() {
    std::lock_guard Lock(mutex());
    if (users()++ == 0) {
      CrashRecoveryContext::Enable();
      install_fatal_error_handler(throwFatalError);
      install_bad_alloc_error_handler(throwBadAlloc);
    }
  }
  ~ProcessHandlers() {
    std::lock_guard Lock(mutex());
    if (--users() == 0) {
      remove_bad_alloc_error_handler();
      remove_fatal_error_handler();
      CrashRecoveryContext::Disable();
    }
  }
  ProcessHandlers(const ProcessHandlers &) = delete;
  ProcessHandlers &operator=(const ProcessHandlers &) = delete;

private:
  static std::mutex &mutex() {
    static std::mutex Instance;
    return Instance;
  }
  static unsigned &users() {
    static unsigned Count = 0;
    return Count;
  }
};

[[noreturn]] void giveUp(ContextHandle &Context, const std::string &Reason) {
  Context.poison();
  Context.dropCollectedErrors();
  throw IRError(Reason);
}

std::string describeCrash(int ReturnCode) {
  // CrashRecoveryContext reports a signal the way a shell does.
  constexpr int SignalBase = 128;
  if (ReturnCode <= SignalBase)
    return "status " + std::to_string(ReturnCode);
  const char *Name = strsignal(ReturnCode - SignalBase);
  return Name ? Name : "signal " + std::to_string(ReturnCode - SignalBase);
}

/// Rethrows what stopped the work; what LLVM's frames were unwound for poisons the context.
void rethrow(ContextHandle &Context, const char *Step, std::exception_ptr Failure) {
  try {
    std::rethrow_exception(Failure);
  } catch (const FatalError &Fatal) {
    giveUp(Context, std::string("LLVM gave up while ") + Step + ": " + Fatal.Reason);
  } catch (const std::bad_alloc &) {
    Context.poison();
    Context.dropCollectedErrors();
    throw;
  } catch (...) {
    Context.dropCollectedErrors();
    throw;
  }
}

} // namespace

void runGuarded(ContextHandle &Context, const char *Step, function_ref<void()> Work, bool IsDeep) {
  std::lock_guard Lock(Context.mutex());
  Context.requireSound();
  std::shared_lock LLVMLock(insideLLVM());

  ProcessHandlers Handlers;
  CrashRecoveryContext Recovery;
  std::exception_ptr Failure;
  // A crash jumps over LLVM's frames, whose entries in this thread's list must not stay behind.
  const void *PrettyStack = SavePrettyStackState();
  auto Contained = [&] {
    try {
      Work();
    } catch (...) { // an exception must not cross RunSafely
      Failure = std::current_exception();
    }
  };
  bool Finished = true;
  try {
    Finished =
        IsDeep ? Recovery.RunSafelyOnThread(Contained, DeepStack) : Recovery.RunSafely(Contained);
  } catch (const FatalError &) { // there is no memory for the thread's stack
    Failure = std::make_exception_ptr(std::bad_alloc());
  }
  RestorePrettyStackState(PrettyStack);

  if (!Finished)
    giveUp(Context, std::string("LLVM crashed while ") + Step + " (" +
                        describeCrash(Recovery.RetCode) + ")");
  if (Failure)
    rethrow(Context, Step, Failure);
  Context.throwCollectedErrors();
}

} // namespace dovetail
