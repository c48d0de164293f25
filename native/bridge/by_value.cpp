#include "by_value.h"

#include "module.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Whether nobody can change what the argument points to while the function runs.
bool staysAsItIs(const Argument &argument) {
  return argument.onlyReadsMemory() && argument.getParent()->onlyReadsMemory();
}

/// The argument's uses become uses of a copy.
void copyOnEntry(Argument &argument) {
  BasicBlock &entry = argument.getParent()->getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  Type *type = argument.getParamByValType();
  const DataLayout &layout = argument.getParent()->getDataLayout();
  Align align = argument.getParamAlign().value_or(layout.getABITypeAlign(type));
  AllocaInst *copy = builder.CreateAlloca(type);
  copy->setAlignment(align);
  argument.replaceAllUsesWith(copy);
  builder.CreateMemCpy(copy, align, &argument, align, layout.getTypeAllocSize(type));
}

bool isKernel(CallingConv::ID convention) {
  return convention == CallingConv::SPIR_KERNEL || convention == CallingConv::PTX_Kernel;
}

void passByReference(Function &function) {
  for (Argument &argument : function.args())
    if (argument.hasByValAttr()) {
      if (!function.isDeclaration() && !staysAsItIs(argument))
        copyOnEntry(argument);
      function.removeParamAttr(argument.getArgNo(), Attribute::ByVal);
    }
}

void passByReference(CallBase &call) {
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (call.isByValArgument(i)) {
      call.removeParamAttr(i, Attribute::ByVal);
      // A tail call must not use the caller's variables, other than by value.
      if (auto *plain = dyn_cast<CallInst>(&call))
        plain->setTailCall(false);
    }
}

} // namespace

PreservedAnalyses PassByReference::run(llvm::Module &ir, ModuleAnalysisManager &) {
  for (Function &function : ir) {
    if (!isKernel(function.getCallingConv()))
      passByReference(function);
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (!isKernel(call->getCallingConv()))
          passByReference(*call);
  }
  return PreservedAnalyses::none();
}

void passByReference(ModuleHandle &module) {
  module.use("passing classes by reference", [](llvm::Module &ir) {
    ModuleAnalysisManager none;
    PassByReference().run(ir, none);
  });
}

} // namespace dovetail
