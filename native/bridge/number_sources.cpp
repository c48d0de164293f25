#include "number_sources.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Whether a driver may know the contents of memory: local variables and constants.
bool isKnownMemory(const Value *Pointer) {
  SmallVector<const Value *> Objects;
  getUnderlyingObjects(Pointer, Objects);
  return any_of(Objects, [](const Value *Object) {
    if (const auto *Variable = dyn_cast<GlobalVariable>(Object))
      return Variable->isConstant();
    return isa<AllocaInst>(Object) ||
           (isa<Argument>(Object) &&
            cast<Argument>(Object)->getParent()->getCallingConv() != CallingConv::SPIR_KERNEL);
  });
}

} // namespace

void SourceCollector::add(Value *Number) {
  SmallVector<Value *> Worklist{Number};
  while (!Worklist.empty()) {
    Value *V = Worklist.pop_back_val();
    if (!Visited.insert(V).second)
      continue;
    if (auto *Arg = dyn_cast<Argument>(V)) {
      if (Arg->getParent()->getCallingConv() != CallingConv::SPIR_KERNEL)
        Arguments.insert(Arg);
    } else if (auto *I = dyn_cast<Instruction>(V)) {
      addFrom(*I, Worklist);
    }
  }
}

void SourceCollector::addFrom(Instruction &I, SmallVectorImpl<Value *> &Worklist) {
  switch (I.getOpcode()) {
  case Instruction::Load:
    if (isKnownMemory(cast<LoadInst>(I).getPointerOperand()))
      Results.insert(&I);
    return;
  case Instruction::Call:
    if (const Function *Callee = cast<CallBase>(I).getCalledFunction();
        Callee && !Callee->isDeclaration())
      Results.insert(&I);
    else
      copy_if(I.operands(), std::back_inserter(Worklist),
              [](const Value *Op) { return Op->getType()->isFPOrFPVectorTy(); });
    return;
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    for (Use &Op : I.operands())
      if (!isa<Constant>(Op))
        Worklist.push_back(Op);
      else if (Op->getType()->isFPOrFPVectorTy() && !isa<UndefValue>(Op))
        Constants.insert(&Op);
    return;
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
    // The result is known only if both operands are.
    Worklist.push_back(I.getOperand(isa<Constant>(I.getOperand(0)) ? 1 : 0));
    return;
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::BitCast:
  case Instruction::ExtractElement:
    Worklist.push_back(I.getOperand(0));
    return;
  default:
    return;
  }
}

} // namespace dovetail
