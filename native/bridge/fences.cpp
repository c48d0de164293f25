#include "fences.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace dovetail {

using namespace llvm;

namespace {

using FunctionSet = SmallPtrSet<const Function *, 16>;

bool isHalf(const Instruction &I) { return I.getType()->getScalarType()->isHalfTy(); }

/// Whether an instruction converts an integer, or a number that may prove to be one, to `half`.
bool isHalfConversion(const Instruction &I) {
  return isHalf(I) && isa<SIToFPInst, UIToFPInst, FPTruncInst>(I);
}

bool isHalfFence(const Instruction &I) {
  const auto *II = dyn_cast<IntrinsicInst>(&I);
  return II && II->getIntrinsicID() == Intrinsic::arithmetic_fence && isHalf(I);
}

void addHalfFence(Instruction &Conversion) {
  IRBuilder<> Builder(Conversion.getNextNode());
  Value *Fence = Builder.CreateArithmeticFence(&Conversion, Conversion.getType());
  Conversion.replaceUsesWithIf(Fence, [&](const Use &U) { return U.getUser() != Fence; });
}

void removeHalfFence(Instruction &Fence) {
  Function *Declaration = cast<CallInst>(Fence).getCalledFunction();
  Fence.replaceAllUsesWith(Fence.getOperand(0));
  Fence.eraseFromParent();
  if (Declaration->use_empty())
    Declaration->eraseFromParent();
}

template <typename Predicate> SmallVector<Instruction *> findAll(Module &M, Predicate IsWanted) {
  SmallVector<Instruction *> Found;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (IsWanted(I))
        Found.push_back(&I);
  return Found;
}

constexpr char IterationFenceName[] = "__dovetail_iterationFence";

/// Returns the function that fences call. As it is convergent, optimizers do not copy blocks that
/// call it into other control flow; as it accesses no memory of the program, they may move
/// accesses.
Function &iterationFenceOf(Module &M) {
  if (Function *Known = M.getFunction(IterationFenceName))
    return *Known;
  auto *Ty = FunctionType::get(Type::getVoidTy(M.getContext()), false);
  auto *Fence = Function::Create(Ty, GlobalValue::ExternalLinkage, IterationFenceName, M);
  Fence->setConvergent();
  Fence->setDoesNotThrow();
  Fence->addFnAttr(Attribute::WillReturn);
  Fence->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return *Fence;
}

bool isIndirectCall(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->isIndirectCall();
}

/// Whether work-items may wait for each other in a function that the module only declares. Clang
/// marks all declarations as convergent, even queries of ids, which access no memory.
bool mayWait(const Function &F) {
  return F.isDeclaration() && F.isConvergent() && (F.isIntrinsic() || !F.doesNotAccessMemory());
}

/// Returns the functions in which work-items may wait for each other.
FunctionSet waitingFunctions(const Module &M) {
  SmallVector<const Function *> Pending;
  for (const Function &F : M)
    if (mayWait(F) || any_of(instructions(F), isIndirectCall))
      Pending.push_back(&F);
  FunctionSet Found(Pending.begin(), Pending.end());
  while (!Pending.empty())
    for (const User *U : Pending.pop_back_val()->users())
      if (const auto *Call = dyn_cast<CallBase>(U);
          Call && Found.insert(Call->getFunction()).second)
        Pending.push_back(Call->getFunction());
  return Found;
}

bool mayWait(const BasicBlock &BB, const FunctionSet &Waiting) {
  return any_of(BB, [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && (isIndirectCall(I) || Waiting.contains(Call->getCalledFunction()));
  });
}

/// Adds a fence on the edges from some blocks to the header of a loop. It gets a block of its own
/// after branches: what follows a branch on a condition knows that condition.
void addIterationFence(Loop &L, ArrayRef<BasicBlock *> From, DominatorTree &Tree, LoopInfo &Loops) {
  BasicBlock *Place = From.front();
  if (From.size() > 1 || !Place->getSingleSuccessor())
    Place = SplitBlockPredecessors(L.getHeader(), From, ".fence", &Tree, &Loops);
  Function &Fence = iterationFenceOf(*Place->getModule());
  IRBuilder<>(Place->getTerminator()).CreateCall(&Fence);
}

/// Adds fences before a loop and between its iterations.
void separateIterations(Loop &L, DominatorTree &Tree, LoopInfo &Loops) {
  MDNode *LoopID = L.getLoopID();
  SmallSetVector<BasicBlock *, 4> Latches, Entries;
  for (BasicBlock *From : predecessors(L.getHeader()))
    (L.contains(From) ? Latches : Entries).insert(From);
  addIterationFence(L, Latches.getArrayRef(), Tree, Loops);
  addIterationFence(L, Entries.getArrayRef(), Tree, Loops);
  if (LoopID)
    L.setLoopID(LoopID);
}

void separateIterations(Function &F, const FunctionSet &Waiting) {
  DominatorTree Tree(F);
  LoopInfo Loops(Tree);
  for (Loop *L : Loops.getLoopsInPreorder())
    if (any_of(L->blocks(), [&](const BasicBlock *BB) { return mayWait(*BB, Waiting); }))
      separateIterations(*L, Tree, Loops);
}

void removeIterationFences(Module &M) {
  Function *Fence = M.getFunction(IterationFenceName);
  if (!Fence)
    return;
  for (User *Call : make_early_inc_range(Fence->users()))
    cast<CallInst>(Call)->eraseFromParent();
  Fence->eraseFromParent();
}

} // namespace

PreservedAnalyses AddFences::run(Module &M, ModuleAnalysisManager &) {
  for (Instruction *Conversion : findAll(M, isHalfConversion))
    addHalfFence(*Conversion);
  FunctionSet Waiting = waitingFunctions(M);
  for (Function &F : M)
    if (!F.isDeclaration() && Waiting.contains(&F))
      separateIterations(F, Waiting);
  return PreservedAnalyses::none();
}

PreservedAnalyses RemoveFences::run(Module &M, ModuleAnalysisManager &) {
  for (Instruction *Fence : findAll(M, isHalfFence))
    removeHalfFence(*Fence);
  removeIterationFences(M);
  return PreservedAnalyses::none();
}

} // namespace dovetail
