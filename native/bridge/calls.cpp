#include "calls.h"

#include "module.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace dovetail {

using namespace llvm;

namespace {

KnownArgument describeArgument(const Value *Arg) {
  if (auto *Integer = dyn_cast<ConstantInt>(Arg); Integer && Integer->getBitWidth() <= 64)
    return Integer->getSExtValue();
  // Address spaces differ between a function and a generic pointer to it.
  if (auto *F = dyn_cast<Function>(Arg->stripPointerCasts()))
    return F->getName().str();
  return std::monostate();
}

struct LocalAllocation {
  CallInst *Call;
  uint64_t Size;
  Align Alignment;
};

Expected<LocalAllocation> readAllocation(CallBase &Call) {
  if (!isa<CallInst>(Call) || Call.arg_size() != 2 || !Call.getType()->isPointerTy())
    return createCallError(
        Call, "it is not a plain call with a size and an alignment that returns a pointer");
  auto *Size = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  auto *Alignment = dyn_cast<ConstantInt>(Call.getArgOperand(1));
  if (!Size || !Alignment)
    return createCallError(Call, "size and alignment must be constants");
  if (Size->getValue().getActiveBits() > 64 || Alignment->getValue().getActiveBits() > 64)
    return createCallError(Call, "size or alignment is too large");
  uint64_t AlignmentValue = Alignment->getZExtValue();
  if (!isPowerOf2_64(AlignmentValue) || AlignmentValue > Value::MaximumAlignment)
    return createCallError(Call, "alignment " + Twine(AlignmentValue) +
                                     " is not a power of two in LLVM's range");
  return LocalAllocation{cast<CallInst>(&Call), Size->getZExtValue(), Align(AlignmentValue)};
}

/// Returns the array that replaces the call.
GlobalVariable &replaceAllocation(const LocalAllocation &Allocation, unsigned AddressSpace) {
  Function &Caller = *Allocation.Call->getFunction();
  auto *ArrayTy = ArrayType::get(Type::getInt8Ty(Caller.getContext()), Allocation.Size);
  auto *Array = new GlobalVariable(*Caller.getParent(), ArrayTy, /*isConstant=*/false,
                                   GlobalValue::InternalLinkage, PoisonValue::get(ArrayTy),
                                   Caller.getName() + ".local", /*InsertBefore=*/nullptr,
                                   GlobalValue::NotThreadLocal, AddressSpace);
  Array->setAlignment(Allocation.Alignment);
  Constant *Address =
      ConstantExpr::getPointerBitCastOrAddrSpaceCast(Array, Allocation.Call->getType());
  Allocation.Call->replaceAllUsesWith(Address);
  Allocation.Call->eraseFromParent();
  return *Array;
}

} // namespace

// The order of use lists depends on how the module was created.
std::vector<CallBase *> directCalls(Function &Callee) {
  SmallPtrSet<const User *, 16> Wanted;
  SmallPtrSet<const Function *, 16> Callers;
  for (const Use &U : Callee.uses())
    if (auto *Call = dyn_cast<CallBase>(U.getUser()); Call && Call->isCallee(&U)) {
      Wanted.insert(Call);
      Callers.insert(Call->getFunction());
    }
  std::vector<CallBase *> Calls;
  for (Function &Caller : *Callee.getParent()) {
    if (!Callers.count(&Caller))
      continue;
    for (Instruction &I : instructions(Caller))
      if (Wanted.count(&I))
        Calls.push_back(cast<CallBase>(&I));
  }
  return Calls;
}

const Function *namedCallee(const CallBase &Call) {
  return dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
}

Error createCallError(const CallBase &Call, const Twine &Reason) {
  return createStringError("in '" + Call.getFunction()->getName() + "', call of '" +
                           Call.getCalledOperand()->getName() + "': " + Reason);
}

std::vector<CallRecord> callsTo(ModuleHandle &Handle, const std::string &Callee) {
  return Handle.look("listing calls", [&](Module &M) -> Expected<std::vector<CallRecord>> {
    Expected<Function &> F = findFunction(M, Callee);
    if (!F)
      return F.takeError();
    std::vector<CallRecord> Records;
    for (const CallBase *Call : directCalls(*F)) {
      std::vector<KnownArgument> Args;
      for (const Value *Arg : Call->args())
        Args.push_back(describeArgument(Arg));
      Records.emplace_back(Call->getFunction()->getName().str(), std::move(Args));
    }
    return Records;
  });
}

std::vector<std::string> replaceCallsWithGlobals(ModuleHandle &Handle, const std::string &Callee,
                                                 unsigned AddressSpace) {
  return Handle.use("replacing calls", [&](Module &M) -> Expected<std::vector<std::string>> {
    Expected<Function &> F = findFunction(M, Callee);
    if (!F)
      return F.takeError();
    std::vector<LocalAllocation> Allocations;
    for (CallBase *Call : directCalls(*F)) {
      Expected<LocalAllocation> Allocation = readAllocation(*Call);
      if (!Allocation)
        return Allocation.takeError();
      Allocations.push_back(*Allocation);
    }
    std::vector<std::string> Names;
    for (const LocalAllocation &Allocation : Allocations)
      Names.push_back(replaceAllocation(Allocation, AddressSpace).getName().str());
    // An unused declaration would become an import that nothing defines.
    if (F->isDeclaration() && F->use_empty())
      F->eraseFromParent();
    return Names;
  });
}

void returnBehindCalls(ModuleHandle &Handle, const std::string &Callee) {
  Handle.use("inserting returns after calls", [&](Module &M) -> Error {
    Expected<Function &> F = findFunction(M, Callee);
    if (!F)
      return F.takeError();
    F->removeFnAttr(Attribute::NoReturn);
    for (CallBase *Call : directCalls(*F)) {
      Call->removeFnAttr(Attribute::NoReturn);
      auto *End = dyn_cast_or_null<UnreachableInst>(Call->getNextNode());
      if (!End)
        continue;
      Type *Ty = Call->getFunction()->getReturnType();
      Value *ReturnValue = Ty->isVoidTy() ? nullptr : Constant::getNullValue(Ty);
      ReturnInst::Create(M.getContext(), ReturnValue, End->getIterator());
      End->eraseFromParent();
    }
    return Error::success();
  });
}

} // namespace dovetail
