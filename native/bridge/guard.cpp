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
  std::string reason;
};

[[noreturn]] void throwFatalError(void *, const char *reason, bool) { throw FatalError{reason}; }

/// Without it, LLVM would end the process. Python sees a MemoryError.
[[noreturn]] void throwBadAlloc(void *, const char *, bool) { throw std::bad_alloc(); }

/// Has LLVM's process-wide handlers (signals, fatal errors, memory) installed while at least one
/// guarded call runs, and the previous ones back afterwards.
class ProcessHandlers {
public:
  ProcessHandlers() {
    std::lock_guard lock(mutex());
    if (users()++ == 0) {
      CrashRecoveryContext::Enable();
      install_fatal_error_handler(throwFatalError);
      install_bad_alloc_error_handler(throwBadAlloc);
    }
  }
  ~ProcessHandlers() {
    std::lock_guard lock(mutex());
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
    static std::mutex instance;
    return instance;
  }
  static unsigned &users() {
    static unsigned count = 0;
    return count;
  }
};

[[noreturn]] void giveUp(ContextHandle &context, const std::string &reason) {
  context.poison();
  context.dropCollectedErrors();
  throw IRError(reason);
}

std::string describeCrash(int returnCode) {
  // CrashRecoveryContext reports a signal the way a shell does.
  constexpr int signalBase = 128;
  if (returnCode <= signalBase)
    return "status " + std::to_string(returnCode);
  const char *name = strsignal(returnCode - signalBase);
  return name ? name : "signal " + std::to_string(returnCode - signalBase);
}

/// Rethrows what stopped the work; what LLVM's frames were unwound for poisons the context.
void rethrow(ContextHandle &context, const char *step, std::exception_ptr failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const FatalError &fatal) {
    giveUp(context, std::string("LLVM gave up while ") + step + ": " + fatal.reason);
  } catch (const std::bad_alloc &) {
    context.poison();
    context.dropCollectedErrors();
    throw;
  } catch (...) {
    context.dropCollectedErrors();
    throw;
  }
}

} // namespace

void runGuarded(ContextHandle &context, const char *step, function_ref<void()> work, bool isDeep) {
  std::lock_guard lock(context.mutex());
  context.requireSound();
  std::shared_lock inside(insideLLVM());

  ProcessHandlers handlers;
  CrashRecoveryContext recovery;
  std::exception_ptr failure;
  // A crash jumps over LLVM's frames, whose entries in this thread's list must not stay behind.
  const void *prettyStack = SavePrettyStackState();
  auto contained = [&] {
    try {
      work();
    } catch (...) { // an exception must not cross RunSafely
      failure = std::current_exception();
    }
  };
  bool finished = true;
  try {
    finished =
        isDeep ? recovery.RunSafelyOnThread(contained, deepStack) : recovery.RunSafely(contained);
  } catch (const FatalError &) { // there is no memory for the thread's stack
    failure = std::make_exception_ptr(std::bad_alloc());
  }
  RestorePrettyStackState(prettyStack);

  if (!finished)
    giveUp(context, std::string("LLVM crashed while ") + step + " (" +
                        describeCrash(recovery.RetCode) + ")");
  if (failure)
    rethrow(context, step, failure);
  context.throwCollectedErrors();
}

} // namespace dovetail
