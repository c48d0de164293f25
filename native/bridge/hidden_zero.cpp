#include "hidden_zero.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace dovetail {

using namespace llvm;

Instruction *createHiddenZero(Function &F, StringRef Query) {
  IRBuilder<> Builder(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  FunctionCallee Callee =
      F.getParent()->getOrInsertFunction(Query, Builder.getInt64Ty(), Builder.getInt32Ty());
  cast<Function>(Callee.getCallee())->setCallingConv(CallingConv::SPIR_FUNC);
  CallInst *Number = Builder.CreateCall(Callee, Builder.getInt32(0));
  Number->setCallingConv(CallingConv::SPIR_FUNC);
  return cast<Instruction>(Builder.CreateLShr(Number, 62));
}

} // namespace dovetail
