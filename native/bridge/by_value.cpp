#include "by_value.h"

#include "module.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Whether nothing changes the argument's pointee while the function runs.
bool isPointeeUnchanged(const Argument &Arg) {
  return Arg.onlyReadsMemory() && Arg.getParent()->onlyReadsMemory();
}

/// Replaces the argument's uses by uses of a copy.
void copyOnEntry(Argument &Arg) {
  BasicBlock &Entry = Arg.getParent()->getEntryBlock();
  IRBuilder<> Builder(&Entry, Entry.getFirstInsertionPt());
  Type *Ty = Arg.getParamByValType();
  const DataLayout &DL = Arg.getParent()->getDataLayout();
  Align Alignment = Arg.getParamAlign().value_or(DL.getABITypeAlign(Ty));
  AllocaInst *Copy = Builder.CreateAlloca(Ty);
  Copy->setAlignment(Alignment);
  Arg.replaceAllUsesWith(Copy);
  Builder.CreateMemCpy(Copy, Alignment, &Arg, Alignment, DL.getTypeAllocSize(Ty));
}

bool isKernel(CallingConv::ID Convention) {
  return Convention == CallingConv::SPIR_KERNEL || Convention == CallingConv::PTX_Kernel;
}

void passByReference(Function &F) {
  for (Argument &Arg : F.args())
    if (Arg.hasByValAttr()) {
      if (!F.isDeclaration() && !isPointeeUnchanged(Arg))
        copyOnEntry(Arg);
      F.removeParamAttr(Arg.getArgNo(), Attribute::ByVal);
    }
}

void passByReference(CallBase &Call) {
  for (unsigned ArgNo = 0; ArgNo < Call.arg_size(); ++ArgNo)
    if (Call.isByValArgument(ArgNo)) {
      Call.removeParamAttr(ArgNo, Attribute::ByVal);
      // A tail call must not use the caller's variables except by value.
      if (auto *CI = dyn_cast<CallInst>(&Call))
        CI->setTailCall(false);
    }
}

} // namespace

PreservedAnalyses PassByReference::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M) {
    if (!isKernel(F.getCallingConv()))
      passByReference(F);
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (!isKernel(Call->getCallingConv()))
          passByReference(*Call);
  }
  return PreservedAnalyses::none();
}

void passByReference(ModuleHandle &Handle) {
  Handle.use("passing classes by reference", [](Module &M) {
    ModuleAnalysisManager MAM;
    PassByReference().run(M, MAM);
  });
}

} // namespace dovetail
