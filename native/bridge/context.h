// An LLVMContext together with what the bridge must know about it: who may use it now, what LLVM
// complained about, and whether it can still be trusted.
#pragma once

#include "llvm/IR/LLVMContext.h"

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

  llvm::LLVMContext &llvmContext() { return *llvm; }

  /// Held while LLVM works on anything in this context. Whoever holds it must never wait for
  /// Python's lock, since a thread that holds Python's lock may wait for this one.
  std::mutex &mutex() { return inUse; }

  bool isPoisoned() const { return poisoned; }
  /// LLVM crashed or gave up half-way: its objects may be in any state. They are never used again
  /// and never destroyed.
  void poison() { poisoned = true; }

  /// Throws IRError if the context is poisoned.
  void requireSound() const;

  /// Throws IRError with the error diagnostics collected since the last call, if there are any.
  void throwCollectedErrors();
  /// Forgets errors that are already being reported in another way.
  void dropCollectedErrors() { errors.clear(); }
  /// The warnings collected so far; the list starts anew.
  std::vector<std::string> takeWarnings();
  /// The same for who holds the mutex.
  std::vector<std::string> takeWarningsLocked() { return std::exchange(warnings, {}); }
  void addWarning(std::string text) { warnings.push_back(std::move(text)); }

private:
  friend class CollectingHandler;

  std::mutex inUse;
  std::unique_ptr<llvm::LLVMContext> llvm;
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  std::atomic<bool> poisoned = false;
};

} // namespace dovetail
