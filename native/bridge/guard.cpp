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

/// Thrown by report_fatal_error. LLVM's frames are unwound without running destructors, which is
/// one reason why the context is poisoned.
struct FatalError {
  std::string Reason;
};

[[noreturn]] void throwFatalError(void *, const char *Reason, bool) { throw FatalError{Reason}; }

/// LLVM's default handler ends the process. Python sees a MemoryError.
[[noreturn]] void throwBadAlloc(void *, const char *, bool) { throw std::bad_alloc(); }

/// Installs LLVM's process-wide handlers (signals, fatal errors, memory) while at least one guarded
/// call runs.
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

[[noreturn]] void poisonAndThrow(ContextHandle &Context, const std::string &Reason) {
  Context.poison();
  Context.dropErrors();
  throw IRError(Reason);
}

std::string describeCrash(int ReturnCode) {
  // CrashRecoveryContext encodes signals as shells do.
  constexpr int SignalBase = 128;
  if (ReturnCode <= SignalBase)
    return "status " + std::to_string(ReturnCode);
  const char *Name = strsignal(ReturnCode - SignalBase);
  return Name ? Name : "signal " + std::to_string(ReturnCode - SignalBase);
}

/// Rethrows the exception that ended the work. One that unwound LLVM's frames poisons the context.
[[noreturn]] void rethrow(ContextHandle &Context, const char *Step,
                          const std::exception_ptr &Exception) {
  try {
    std::rethrow_exception(Exception);
  } catch (const FatalError &Fatal) {
    poisonAndThrow(Context, std::string("LLVM gave up while ") + Step + ": " + Fatal.Reason);
  } catch (const std::bad_alloc &) {
    Context.poison();
    Context.dropErrors();
    throw;
  } catch (...) {
    Context.dropErrors();
    throw;
  }
}

} // namespace

void runGuarded(ContextHandle &Context, const char *Step, function_ref<Error()> Work, bool IsDeep) {
  std::lock_guard Lock(Context.mutex());
  throwOnError(Context.checkUsable());
  std::shared_lock LLVMLock(insideLLVM());

  ProcessHandlers Handlers;
  CrashRecoveryContext Recovery;
  std::optional<Error> Err;
  std::exception_ptr Exception;
  // A crash jumps over LLVM's frames, whose entries must be removed from this thread's list.
  const void *PrettyStack = SavePrettyStackState();
  auto Contained = [&] {
    try {
      Err.emplace(Work());
    } catch (...) { // an exception must not cross RunSafely
      Exception = std::current_exception();
    }
  };
  bool IsFinished = true;
  try {
    IsFinished = IsDeep ? Recovery.RunSafelyOnThread(Contained, DeepStackSize)
                        : Recovery.RunSafely(Contained);
  } catch (const FatalError &) { // there is no memory for the thread's stack
    Exception = std::make_exception_ptr(std::bad_alloc());
  }
  RestorePrettyStackState(PrettyStack);

  if (!IsFinished)
    poisonAndThrow(Context, std::string("LLVM crashed while ") + Step + " (" +
                                describeCrash(Recovery.RetCode) + ")");
  if (Exception)
    rethrow(Context, Step, Exception);
  if (*Err) {
    Context.dropErrors();
    throwOnError(std::move(*Err));
  }
  throwOnError(Context.takeErrors());
}

} // namespace dovetail
