// The values from which drivers may derive floating-point numbers.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

namespace dovetail {

/// Collects the values from which a driver that unrolls loops, splits variables and inlines calls
/// may derive floating-point numbers.
class SourceCollector {
public:
  llvm::SetVector<llvm::Use *> Constants;
  llvm::SetVector<llvm::Instruction *> Results;
  llvm::SetVector<llvm::Argument *> Arguments;

  /// Adds the sources of a number, which is not a constant itself.
  void add(llvm::Value *Number);

private:
  llvm::SmallPtrSet<llvm::Value *, 16> Visited;

  void addFrom(llvm::Instruction &I, llvm::SmallVectorImpl<llvm::Value *> &Worklist);
};

} // namespace dovetail
