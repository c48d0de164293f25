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

/// OpenCL's address spaces, as clang numbers them for SPIR-V.
constexpr unsigned privateSpace = 0, genericSpace = 4;

const Function *calledBy(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call ? call->getCalledFunction() : nullptr;
}

/// Those that wait for other work-items, themselves or in what they call.
Functions findWaiting(const llvm::Module &ir, const std::vector<std::string> &barriers) {
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

/// Those that waiting functions call, directly or not: drivers inline them.
Functions calledByWaiting(const Functions &waiting) {
  Functions found;
  SmallVector<const Function *> pending(waiting.begin(), waiting.end());
  while (!pending.empty())
    for (const Instruction &instruction : instructions(*pending.pop_back_val())) {
      const Function *callee = calledBy(instruction);
      if (callee && !callee->isDeclaration() && !waiting.contains(callee) &&
          found.insert(callee).second)
        pending.push_back(callee);
    }
  return found;
}

/// Whether an instruction hands a value on to where its uses cannot be followed: private memory,
/// which drivers turn into values, the caller, or another function.
bool handsOn(const Instruction &user, const Value *value) {
  if (const auto *store = dyn_cast<StoreInst>(&user)) {
    unsigned space = store->getPointerAddressSpace();
    return store->getValueOperand() == value && (space == privateSpace || space == genericSpace);
  }
  const Function *callee = calledBy(user);
  return isa<ReturnInst>(user) || (callee && !callee->isDeclaration());
}

/// Whether a value, or what is computed from it, may be needed after a barrier. A function that
/// does not wait itself can only hand it on.
bool mayCrossBarrier(const Instruction &value, const Functions &waiting) {
  bool waits = waiting.contains(value.getFunction());
  SmallVector<const Instruction *> pending{&value};
  SmallPtrSet<const Instruction *, 8> computed{&value};
  const Instruction *last = &value;
  while (!pending.empty()) {
    const Instruction *current = pending.pop_back_val();
    for (const User *user : current->users()) {
      const auto *next = cast<Instruction>(user);
      if (handsOn(*next, current))
        return true;
      if (waits && (next->getParent() != value.getParent() || isa<PHINode>(next)))
        return true;
      if (waits && last->comesBefore(next))
        last = next;
      if (!next->getType()->isVoidTy() && computed.insert(next).second)
        pending.push_back(next);
    }
  }
  for (const Instruction *next = &value; waits && next != last; next = next->getNextNode())
    if (waiting.contains(calledBy(*next)))
      return true;
  return false;
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
    Functions waiting = findWaiting(ir, barriers), called = calledByWaiting(waiting);
    for (Function &function : ir) {
      if (!waiting.contains(&function) && !called.contains(&function))
        continue;
      SmallVector<Instruction *> negations;
      for (Instruction &instruction : instructions(function))
        if (isNegation(instruction) && mayCrossBarrier(instruction, waiting))
          negations.push_back(&instruction);
      for (Instruction *negation : negations)
        spill(*negation);
    }
  });
}

} // namespace dovetail
