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

constexpr StringRef MarkPrefix = "dovetail.class.address.";

bool containsDouble(Type *Ty) { return Ty->isDoubleTy() || any_of(Ty->subtypes(), containsDouble); }

bool isOfClassWithDouble(const Instruction &I) {
  const auto *GEP = dyn_cast<GetElementPtrInst>(&I);
  if (!GEP || !GEP->getPointerOperandType()->isPointerTy())
    return false;
  Type *Ty = GEP->getSourceElementType();
  while (auto *Array = dyn_cast<ArrayType>(Ty))
    Ty = Array->getElementType();
  return Ty->isStructTy() && containsDouble(Ty);
}

/// Declares a function that returns its argument. Optimizations remove its calls only if unused.
FunctionCallee markFor(Module &M, Type *PtrTy) {
  std::string Name = (MarkPrefix + Twine(PtrTy->getPointerAddressSpace())).str();
  FunctionCallee Mark = M.getOrInsertFunction(Name, PtrTy, PtrTy);
  auto *F = cast<Function>(Mark.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  return Mark;
}

void addMarks(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (isOfClassWithDouble(I)) {
        Value *Object = cast<GetElementPtrInst>(I).getPointerOperand();
        IRBuilder<> Builder(&I);
        I.setOperand(0, Builder.CreateCall(markFor(M, Object->getType()), {Object}));
      }
}

CallInst *asMark(Value *V) {
  auto *Call = dyn_cast<CallInst>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with(MarkPrefix) ? Call : nullptr;
}

bool isOwnObject(Value *Pointer) {
  Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  while (CallInst *Mark = asMark(Object))
    Object = getUnderlyingObject(Mark->getArgOperand(0), /*MaxLookup=*/0);
  const auto *Parameter = dyn_cast<Argument>(Object);
  return isa<AllocaInst>(Object) || (Parameter && Parameter->hasByValAttr());
}

/// Removes marks of a function's own objects. Returns whether there were any.
bool dropMarksOfOwnObjects(Module &M) {
  SmallVector<CallInst *> Dropped;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (CallInst *Mark = asMark(&I); Mark && isOwnObject(Mark))
        Dropped.push_back(Mark);
  for (CallInst *Mark : Dropped) {
    Mark->replaceAllUsesWith(Mark->getArgOperand(0));
    Mark->eraseFromParent();
  }
  return !Dropped.empty();
}

std::vector<std::string> listMarked(Module &M) {
  std::vector<std::string> Found;
  for (Function &F : M)
    if (any_of(instructions(F), [](Instruction &I) { return asMark(&I); }))
      Found.push_back(F.getName().str());
  return Found;
}

} // namespace

std::vector<std::string> listClassAddresses(ModuleHandle &Handle) {
  auto List = [](const Module &M) -> Expected<std::vector<std::string>> {
    auto HasAny = [](const Function &F) { return any_of(instructions(F), isOfClassWithDouble); };
    if (none_of(M, HasAny))
      return std::vector<std::string>();
    std::unique_ptr<Module> Copy = CloneModule(M);
    StripDebugInfo(*Copy);
    addMarks(*Copy);
    if (Error Err = runPipeline(*Copy, "cgscc(inline),globaldce", nullptr))
      return std::move(Err);
    // Resolving a pointer to one object can resolve a pointer to another one.
    do
      if (Error Err = runPipeline(*Copy, "function(sroa,simplifycfg,adce)", nullptr))
        return std::move(Err);
    while (dropMarksOfOwnObjects(*Copy));
    return listMarked(*Copy);
  };
  return Handle.use("looking for addresses within classes", List, /*IsDeep=*/true);
}

} // namespace dovetail
