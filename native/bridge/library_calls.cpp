#include "library_calls.h"

#include "module.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"

namespace dovetail {

using namespace llvm;

namespace {

std::string operationName(const Instruction &I) {
  std::string Name;
  raw_string_ostream OS(Name);
  OS << I.getOpcodeName() << ' ';
  I.getType()->print(OS);
  return Name;
}

/// Returns a function of the device library, whose calling convention is that of device functions.
FunctionCallee libraryFunction(Module &M, const std::string &Name, Type *Ty) {
  FunctionCallee Callee = M.getOrInsertFunction(Name, Ty, Ty, Ty);
  auto *F = dyn_cast<Function>(Callee.getCallee());
  if (F && F->isDeclaration() && M.getTargetTriple().isSPIROrSPIRV())
    F->setCallingConv(CallingConv::SPIR_FUNC);
  return Callee;
}

void replaceByCall(Instruction &I, Module &M, const std::string &Name) {
  FunctionCallee Callee = libraryFunction(M, Name, I.getType());
  IRBuilder<> Builder(&I);
  CallInst *Call = Builder.CreateCall(Callee, {I.getOperand(0), I.getOperand(1)});
  if (auto *F = dyn_cast<Function>(Callee.getCallee()))
    Call->setCallingConv(F->getCallingConv());
  I.replaceAllUsesWith(Call);
  I.eraseFromParent();
}

} // namespace

void callForOperations(ModuleHandle &Handle, const std::map<std::string, std::string> &Functions) {
  Handle.use("replacing operations by calls", [&](Module &M) {
    for (Function &F : M)
      for (Instruction &I : make_early_inc_range(instructions(F))) {
        // Only divisions and remainders, so that names are not created for all instructions.
        if (!I.isIntDivRem() && I.getOpcode() != Instruction::FRem)
          continue;
        auto Found = Functions.find(operationName(I));
        if (Found != Functions.end())
          replaceByCall(I, M, Found->second);
      }
  });
}

} // namespace dovetail
