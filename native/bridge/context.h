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

  llvm::LLVMContext &llvmContext() { return *LLVM; }

  /// Held while LLVM works on anything in this context. Whoever holds it must never wait for
  /// Python's lock, since a thread that holds Python's lock may wait for this one.
  std::mutex &mutex() { return Mutex; }

  bool isPoisoned() const { return Poisoned; }
  /// LLVM crashed or gave up half-way: its objects may be in any state. They are never used again
  /// and never destroyed.
  void poison() { Poisoned = true; }

  /// Throws IRError if the context is poisoned.
  void requireSound() const;

  /// Throws IRError with the error diagnostics collected since the last call, if there are any.
  void throwCollectedErrors();
  /// Forgets errors that are already being reported in another way.
  void dropCollectedErrors() { Errors.clear(); }
  /// The warnings collected so far; the list starts anew.
  std::vector<std::string> takeWarnings();
  /// The same for who holds the mutex.
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
