// An LLVMContext with its lock, the diagnostics that LLVM emitted, and whether it is still usable.
#pragma once

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

class ContextHandle {
public:
  ContextHandle();
  ~ContextHandle();
  ContextHandle(const ContextHandle &) = delete;
  ContextHandle &operator=(const ContextHandle &) = delete;

  llvm::LLVMContext &llvmContext() { return *LLVM; }

  /// Locked while LLVM works on anything in this context. A thread that holds it must never wait
  /// for the GIL, because a thread that holds the GIL may wait for this mutex.
  std::mutex &mutex() { return Mutex; }

  bool isPoisoned() const { return Poisoned; }
  /// Marks the context unusable after a crash or fatal error, which can leave its objects in any
  /// state. They are never used again and never destroyed.
  void poison() { Poisoned = true; }

  /// Returns an error if the context is poisoned.
  llvm::Error checkUsable() const;

  /// Returns the error diagnostics collected since the last call as one error, or success.
  llvm::Error takeErrors();
  /// Discards errors that are already reported in another way.
  void dropErrors() { Errors.clear(); }
  /// Returns and clears the collected warnings.
  std::vector<std::string> takeWarnings();
  /// takeWarnings() for callers that hold the mutex.
  std::vector<std::string> takeWarningsLocked() { return std::exchange(Warnings, {}); }
  void addWarning(std::string Text) { Warnings.push_back(std::move(Text)); }

private:
  friend class CollectingHandler;

  std::mutex Mutex;
  std::unique_ptr<llvm::LLVMContext> LLVM;
  std::vector<std::string> Errors;
  std::vector<std::string> Warnings;
  std::atomic<bool> Poisoned = false;
};

} // namespace dovetail
