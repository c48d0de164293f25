#include "constant_arguments.h"

#include "module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

namespace dovetail {

using namespace llvm;

namespace {

class ArgumentMover {
public:
  ArgumentMover(Module &M, unsigned AddressSpace)
      : M(M), Pointer(PointerType::get(M.getContext(), AddressSpace)) {}

  /// Replaces the call, unless its first argument is not a constant variable.
  bool replace(CallInst &Call, StringRef Name) {
    auto *Variable = dyn_cast<GlobalVariable>(Call.getArgOperand(0)->stripPointerCasts());
    if (!Variable || !Variable->isConstant() || !Variable->hasInitializer())
      return false;
    SmallVector<Value *> Arguments(Call.args());
    Arguments[0] = copyOf(*Variable);
    CallInst *Made = CallInst::Create(calleeFor(Call, Name), Arguments, "", Call.getIterator());
    Made->setCallingConv(Call.getCallingConv());
    Made->setDebugLoc(Call.getDebugLoc());
    Made->takeName(&Call);
    Call.replaceAllUsesWith(Made);
    Call.eraseFromParent();
    return true;
  }

private:
  FunctionCallee calleeFor(const CallInst &Call, StringRef Name) {
    FunctionType *Type = Call.getFunctionType();
    SmallVector<llvm::Type *> Parameters(Type->params());
    Parameters[0] = Pointer;
    FunctionCallee Callee = M.getOrInsertFunction(
        Name, FunctionType::get(Type->getReturnType(), Parameters, Type->isVarArg()));
    cast<Function>(Callee.getCallee())->setCallingConv(Call.getCallingConv());
    return Callee;
  }

  GlobalVariable *copyOf(GlobalVariable &Variable) {
    GlobalVariable *&Copy = Copies[&Variable];
    if (!Copy) {
      Copy = new GlobalVariable(M, Variable.getValueType(), /*isConstant=*/true,
                                GlobalValue::InternalLinkage, Variable.getInitializer(),
                                Variable.getName(), nullptr, GlobalValue::NotThreadLocal,
                                Pointer->getAddressSpace());
      Copy->setAlignment(Variable.getAlign());
    }
    return Copy;
  }

  Module &M;
  PointerType *Pointer;
  DenseMap<GlobalVariable *, GlobalVariable *> Copies;
};

} // namespace

std::vector<std::string> moveFirstArguments(ModuleHandle &Handle,
                                            const std::map<std::string, std::string> &Names,
                                            unsigned AddressSpace) {
  std::vector<std::string> Left;
  Handle.use("moving arguments", [&](Module &M) {
    ArgumentMover Mover(M, AddressSpace);
    for (const auto &[Old, New] : Names) {
      Function *F = M.getFunction(Old);
      if (!F)
        continue;
      for (User *U : make_early_inc_range(F->users())) {
        auto *Call = dyn_cast<CallInst>(U);
        if (Call && Call->getCalledFunction() == F && !Mover.replace(*Call, New))
          Left.push_back(Call->getFunction()->getName().str());
      }
      if (F->use_empty())
        F->eraseFromParent();
    }
  });
  return Left;
}

} // namespace dovetail
