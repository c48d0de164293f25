#include "class_addresses.h"

#include "module.h"
#include "passes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace dovetail {

using namespace llvm;

namespace {

constexpr StringRef markPrefix = "dovetail.class.address.";

bool holdsDouble(Type *type) { return type->isDoubleTy() || any_of(type->subtypes(), holdsDouble); }

bool isOfClassWithDouble(const Instruction &instruction) {
  const auto *address = dyn_cast<GetElementPtrInst>(&instruction);
  if (!address || !address->getPointerOperandType()->isPointerTy())
    return false;
  Type *type = address->getSourceElementType();
  while (auto *array = dyn_cast<ArrayType>(type))
    type = array->getElementType();
  return type->isStructTy() && holdsDouble(type);
}

/// A function that returns its argument, which nothing but being unused removes.
FunctionCallee markFor(llvm::Module &ir, Type *pointer) {
  std::string name = (markPrefix + Twine(pointer->getPointerAddressSpace())).str();
  FunctionCallee mark = ir.getOrInsertFunction(name, pointer, pointer);
  auto *function = cast<Function>(mark.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return mark;
}

void addMarks(llvm::Module &ir) {
  for (Function &function : ir)
    for (Instruction &instruction : instructions(function))
      if (isOfClassWithDouble(instruction)) {
        Value *object = cast<GetElementPtrInst>(instruction).getPointerOperand();
        IRBuilder<> builder(&instruction);
        instruction.setOperand(0, builder.CreateCall(markFor(ir, object->getType()), {object}));
      }
}

CallInst *asMark(Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with(markPrefix) ? call : nullptr;
}

bool isOwnObject(Value *pointer) {
  Value *object = getUnderlyingObject(pointer, /*MaxLookup=*/0);
  while (CallInst *mark = asMark(object))
    object = getUnderlyingObject(mark->getArgOperand(0), /*MaxLookup=*/0);
  const auto *parameter = dyn_cast<Argument>(object);
  return isa<AllocaInst>(object) || (parameter && parameter->hasByValAttr());
}

/// Whether there were any.
bool dropMarksOfOwnObjects(llvm::Module &ir) {
  SmallVector<CallInst *> dropped;
  for (Function &function : ir)
    for (Instruction &instruction : instructions(function))
      if (CallInst *mark = asMark(&instruction); mark && isOwnObject(mark))
        dropped.push_back(mark);
  for (CallInst *mark : dropped) {
    mark->replaceAllUsesWith(mark->getArgOperand(0));
    mark->eraseFromParent();
  }
  return !dropped.empty();
}

std::vector<std::string> marked(llvm::Module &ir) {
  std::vector<std::string> found;
  for (Function &function : ir)
    if (any_of(instructions(function), [](Instruction &it) { return asMark(&it); }))
      found.push_back(function.getName().str());
  return found;
}

} // namespace

std::vector<std::string> listClassAddresses(ModuleHandle &module) {
  auto list = [](const llvm::Module &ir) -> std::vector<std::string> {
    auto hasAny = [](const Function &it) { return any_of(instructions(it), isOfClassWithDouble); };
    if (none_of(ir, hasAny))
      return {};
    std::unique_ptr<llvm::Module> copy = CloneModule(ir);
    StripDebugInfo(*copy);
    addMarks(*copy);
    runPipeline(*copy, "cgscc(inline),globaldce", nullptr);
    // What is known of one object can be what makes a pointer to another one known.
    do
      runPipeline(*copy, "function(sroa,simplifycfg,adce)", nullptr);
    while (dropMarksOfOwnObjects(*copy));
    return marked(*copy);
  };
  return module.use("looking for addresses within classes", list, /*isDeep=*/true);
}

} // namespace dovetail
