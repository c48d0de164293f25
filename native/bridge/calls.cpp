#include "calls.h"

#include "errors.h"
#include "module.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace dovetail {

using namespace llvm;

namespace {

/// The order of use lists depends on how the module came about; this one is that of the text.
std::vector<CallBase *> directCalls(Function &callee) {
  SmallPtrSet<const User *, 16> wanted;
  SmallPtrSet<const Function *, 16> callers;
  for (const Use &use : callee.uses())
    if (auto *call = dyn_cast<CallBase>(use.getUser()); call && call->isCallee(&use)) {
      wanted.insert(call);
      callers.insert(call->getFunction());
    }
  std::vector<CallBase *> calls;
  for (Function &caller : *callee.getParent()) {
    if (!callers.count(&caller))
      continue;
    for (Instruction &instruction : instructions(caller))
      if (wanted.count(&instruction))
        calls.push_back(cast<CallBase>(&instruction));
  }
  return calls;
}

KnownArgument describeArgument(const Value *argument) {
  if (auto *integer = dyn_cast<ConstantInt>(argument); integer && integer->getBitWidth() <= 64)
    return integer->getSExtValue();
  // Address spaces differ between a function and a generic pointer to it.
  if (auto *function = dyn_cast<Function>(argument->stripPointerCasts()))
    return function->getName().str();
  return std::monostate();
}

struct Allocation {
  CallInst *call;
  uint64_t size;
  Align alignment;
};

[[noreturn]] void refuse(const CallBase &call, const Twine &reason) {
  throw IRError(("in '" + call.getFunction()->getName() + "', call of '" +
                 call.getCalledOperand()->getName() + "': " + reason)
                    .str());
}

Allocation readAllocation(CallBase &call) {
  if (!isa<CallInst>(call) || call.arg_size() != 2 || !call.getType()->isPointerTy())
    refuse(call, "it is not a plain call with a size and an alignment that returns a pointer");
  auto *size = dyn_cast<ConstantInt>(call.getArgOperand(0));
  auto *alignment = dyn_cast<ConstantInt>(call.getArgOperand(1));
  if (!size || !alignment)
    refuse(call, "size and alignment must be constants");
  if (size->getValue().getActiveBits() > 64 || alignment->getValue().getActiveBits() > 64)
    refuse(call, "size or alignment is too large");
  uint64_t alignmentValue = alignment->getZExtValue();
  if (!isPowerOf2_64(alignmentValue) || alignmentValue > Value::MaximumAlignment)
    refuse(call, "alignment " + Twine(alignmentValue) + " is not a power of two in LLVM's range");
  return {cast<CallInst>(&call), size->getZExtValue(), Align(alignmentValue)};
}

/// The array that takes the place of the call.
GlobalVariable &replaceAllocation(const Allocation &allocation, unsigned addressSpace) {
  Function &caller = *allocation.call->getFunction();
  auto *type = ArrayType::get(Type::getInt8Ty(caller.getContext()), allocation.size);
  auto *array = new GlobalVariable(*caller.getParent(), type, /*isConstant=*/false,
                                   GlobalValue::InternalLinkage, PoisonValue::get(type),
                                   caller.getName() + ".local", /*InsertBefore=*/nullptr,
                                   GlobalValue::NotThreadLocal, addressSpace);
  array->setAlignment(allocation.alignment);
  Constant *address =
      ConstantExpr::getPointerBitCastOrAddrSpaceCast(array, allocation.call->getType());
  allocation.call->replaceAllUsesWith(address);
  allocation.call->eraseFromParent();
  return *array;
}

} // namespace

std::vector<CallRecord> callsTo(ModuleHandle &module, const std::string &callee) {
  return module.look("listing calls", [&](llvm::Module &ir) {
    std::vector<CallRecord> records;
    for (const CallBase *call : directCalls(findFunction(ir, callee))) {
      std::vector<KnownArgument> arguments;
      for (const Value *argument : call->args())
        arguments.push_back(describeArgument(argument));
      records.emplace_back(call->getFunction()->getName().str(), std::move(arguments));
    }
    return records;
  });
}

std::vector<std::string> replaceCallsWithGlobals(ModuleHandle &module, const std::string &callee,
                                                 unsigned addressSpace) {
  return module.use("replacing calls", [&](llvm::Module &ir) {
    Function &function = findFunction(ir, callee);
    std::vector<Allocation> allocations;
    for (CallBase *call : directCalls(function))
      allocations.push_back(readAllocation(*call));
    std::vector<std::string> names;
    for (const Allocation &allocation : allocations)
      names.push_back(replaceAllocation(allocation, addressSpace).getName().str());
    // A declaration that stays would become an import that nobody can satisfy.
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
    return names;
  });
}

void returnBehindCalls(ModuleHandle &module, const std::string &callee) {
  module.use("returning behind calls", [&](llvm::Module &ir) {
    Function &function = findFunction(ir, callee);
    function.removeFnAttr(Attribute::NoReturn);
    for (CallBase *call : directCalls(function)) {
      call->removeFnAttr(Attribute::NoReturn);
      auto *end = dyn_cast_or_null<UnreachableInst>(call->getNextNode());
      if (!end)
        continue;
      Type *type = call->getFunction()->getReturnType();
      Value *result = type->isVoidTy() ? nullptr : Constant::getNullValue(type);
      ReturnInst::Create(ir.getContext(), result, end->getIterator());
      end->eraseFromParent();
    }
  });
}

} // namespace dovetail
