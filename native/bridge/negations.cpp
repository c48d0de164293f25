#include "negations.h"

#include "module.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

namespace dovetail {

using namespace llvm;

namespace {

using Functions = SmallPtrSet<const Function *, 8>;

const Function *calledBy(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call ? call->getCalledFunction() : nullptr;
}

/// Those that wait for other work-items, themselves or in what they call.
Functions waiting(const llvm::Module &ir, const std::vector<std::string> &barriers) {
  Functions found;
  for (const Function &function : ir)
    if (function.isDeclaration() && any_of(barriers, [&](const std::string &barrier) {
          return function.getName().contains(barrier);
        }))
      found.insert(&function);
  for (bool isNew = !found.empty(); isNew;) {
    isNew = false;
    for (const Function &function : ir)
      if (any_of(instructions(function), [&](const Instruction &instruction) {
            return found.contains(calledBy(instruction));
          }))
        isNew |= found.insert(&function).second;
  }
  return found;
}

bool isNegation(Instruction &instruction) {
  using namespace PatternMatch;
  // LLVM takes all of these for the same.
  return match(&instruction, m_FNeg(m_Value())) ||
         match(&instruction, m_c_FMul(m_Value(), m_SpecificFP(-1.0))) ||
         match(&instruction, m_FDiv(m_Value(), m_SpecificFP(-1.0)));
}

/// Whether a value is used up in its basic block before anyone waits there.
bool isUsedAtOnce(const Instruction &value, const Functions &barriers) {
  SmallVector<const Instruction *> pending{&value};
  SmallPtrSet<const Instruction *, 8> computed{&value};
  const Instruction *last = &value;
  while (!pending.empty())
    for (const User *user : pending.pop_back_val()->users()) {
      const auto *next = cast<Instruction>(user);
      if (next->getParent() != value.getParent() || isa<PHINode>(next))
        return false;
      if (last->comesBefore(next))
        last = next;
      if (!next->getType()->isVoidTy() && computed.insert(next).second)
        pending.push_back(next);
    }
  for (const Instruction *next = &value; next != last; next = next->getNextNode())
    if (barriers.contains(calledBy(*next)))
      return false;
  return true;
}

void spill(Instruction &value) {
  Function &function = *value.getFunction();
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  AllocaInst *memory = builder.CreateAlloca(value.getType());
  builder.SetInsertPoint(value.getNextNode());
  StoreInst *store = builder.CreateStore(&value, memory, /*isVolatile=*/true);
  LoadInst *load = builder.CreateLoad(value.getType(), memory, /*isVolatile=*/true);
  value.replaceUsesWithIf(load, [&](const Use &use) { return use.getUser() != store; });
}

} // namespace

void spillNegations(ModuleHandle &module, const std::vector<std::string> &barriers) {
  module.use("spilling negated numbers", [&](llvm::Module &ir) {
    Functions found = waiting(ir, barriers);
    for (Function &function : ir) {
      if (function.isDeclaration() || !found.contains(&function))
        continue;
      SmallVector<Instruction *> negations;
      for (Instruction &instruction : instructions(function))
        if (isNegation(instruction) && !isUsedAtOnce(instruction, found))
          negations.push_back(&instruction);
      for (Instruction *negation : negations)
        spill(*negation);
    }
  });
}

} // namespace dovetail
