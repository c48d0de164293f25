#include "variable_types.h"

#include "module.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace dovetail {

using namespace llvm;

namespace {

bool isLifetimeMarker(const User *Usr) {
  const auto *II = dyn_cast<IntrinsicInst>(Usr);
  return II && II->isLifetimeStartOrEnd();
}

/// Whether the back-end may deduce another type of the variable from a use.
bool suggestsOtherType(const Use &U, const Type *Ty) {
  const User *Usr = U.getUser();
  if (isa<GetElementPtrInst>(Usr) || isLifetimeMarker(Usr))
    return false;
  if (const auto *Load = dyn_cast<LoadInst>(Usr))
    return Load->getType() != Ty;
  if (const auto *Store = dyn_cast<StoreInst>(Usr))
    return U.getOperandNo() != StoreInst::getPointerOperandIndex() ||
           Store->getValueOperand()->getType() != Ty;
  return true;
}

/// Replaces uses of `Pointer` by `Pointer` plus zero bytes, except in lifetime markers, whose
/// operand must be the variable itself.
void pin(Value &Pointer, BasicBlock::iterator InsertPt) {
  SmallVector<Use *> Uses;
  for (Use &U : Pointer.uses())
    if (!isLifetimeMarker(U.getUser()))
      Uses.push_back(&U);
  if (Uses.empty())
    return;
  // Not an IRBuilder, which would fold it.
  Type *ByteTy = Type::getInt8Ty(Pointer.getContext());
  Value *Zero = ConstantInt::get(Type::getInt64Ty(Pointer.getContext()), 0);
  auto *Pinned = GetElementPtrInst::CreateInBounds(ByteTy, &Pointer, {Zero}, "", InsertPt);
  for (Use *U : Uses)
    U->set(Pinned);
}

/// Changes the type of a variable to bytes. Pointers in its type would also be deduced from uses.
void makeBytes(AllocaInst &Variable) {
  auto Size = Variable.getAllocationSize(Variable.getDataLayout());
  if (!Size || Size->isScalable() || Variable.isArrayAllocation())
    return;
  Type *ByteTy = Type::getInt8Ty(Variable.getContext());
  Variable.setAllocatedType(ArrayType::get(ByteTy, Size->getFixedValue()));
}

/// Whether the pointee type of a pointer can only be deduced from its uses.
bool isUntyped(const Instruction &I) {
  return I.getType()->isPointerTy() && !isa<GetElementPtrInst, AllocaInst>(I);
}

} // namespace

void pinVariableTypes(ModuleHandle &Handle) {
  Handle.use("pinning the types of variables", [](Module &M) {
    for (Function &F : M)
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (auto *Variable = dyn_cast<AllocaInst>(&I))
          if (any_of(Variable->uses(), [&](const Use &U) {
                return suggestsOtherType(U, Variable->getAllocatedType());
              })) {
            makeBytes(*Variable);
            pin(*Variable, std::next(Variable->getIterator()));
          }
  });
}

void markLifetimes(ModuleHandle &Handle) {
  Handle.use("marking lifetimes", [](Module &M) {
    for (Function &F : M) {
      if (F.isDeclaration())
        continue;
      SmallVector<AllocaInst *> Unmarked;
      for (Instruction &I : F.getEntryBlock())
        if (auto *Variable = dyn_cast<AllocaInst>(&I);
            Variable && none_of(Variable->users(), isLifetimeMarker))
          Unmarked.push_back(Variable);
      if (Unmarked.empty())
        continue;
      Instruction *First = &*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
      IRBuilder<> Builder(First);
      for (AllocaInst *Variable : Unmarked) {
        Builder.SetInsertPoint(Variable->comesBefore(First) ? First : Variable->getNextNode());
        Builder.CreateLifetimeStart(Variable);
      }
      for (BasicBlock &BB : F)
        if (isa<ReturnInst>(BB.getTerminator())) {
          Builder.SetInsertPoint(BB.getTerminator());
          for (AllocaInst *Variable : Unmarked)
            Builder.CreateLifetimeEnd(Variable);
        }
    }
  });
}

void pinPointerTypes(ModuleHandle &Handle) {
  Handle.use("pinning the types of pointers", [](Module &M) {
    for (Function &F : M)
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (isUntyped(I) && !I.isTerminator())
          pin(I, *I.getInsertionPointAfterDef());
  });
}

} // namespace dovetail
