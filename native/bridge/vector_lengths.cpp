#include "vector_lengths.h"

#include "module.h"
#include "signature.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

namespace dovetail {

using namespace llvm;

namespace {

bool isOther(const Type *Ty, ArrayRef<unsigned> Lengths) {
  const auto *VecTy = dyn_cast<FixedVectorType>(Ty);
  return VecTy && !is_contained(Lengths, VecTy->getNumElements());
}

bool hasOther(const Function &F, ArrayRef<unsigned> Lengths) {
  return any_of(instructions(F), [&](const Instruction &I) {
    return isOther(I.getType(), Lengths) ||
           any_of(I.operands(), [&](const Use &U) { return isOther(U->getType(), Lengths); });
  });
}

/// Returns the element at an index, or zero if the index is out of range, where any value is
/// allowed.
Value *selectElement(IRBuilder<> &Builder, Value *Vector, Value *Index) {
  auto *VecTy = cast<FixedVectorType>(Vector->getType());
  Value *Selected = Constant::getNullValue(VecTy->getElementType());
  for (unsigned Idx = 0; Idx < VecTy->getNumElements(); ++Idx) {
    Value *IsIndex = Builder.CreateICmpEQ(Index, ConstantInt::get(Index->getType(), Idx));
    Selected = Builder.CreateSelect(IsIndex, Builder.CreateExtractElement(Vector, Idx), Selected);
  }
  return Selected;
}

Value *replaceElement(IRBuilder<> &Builder, Value *Vector, Value *Element, Value *Index) {
  auto *VecTy = cast<FixedVectorType>(Vector->getType());
  Value *Replaced = PoisonValue::get(VecTy);
  for (unsigned Idx = 0; Idx < VecTy->getNumElements(); ++Idx) {
    Value *IsIndex = Builder.CreateICmpEQ(Index, ConstantInt::get(Index->getType(), Idx));
    Value *NewElement =
        Builder.CreateSelect(IsIndex, Element, Builder.CreateExtractElement(Vector, Idx));
    Replaced = Builder.CreateInsertElement(Replaced, NewElement, Idx);
  }
  return Replaced;
}

/// Returns a replacement for an instruction with a variable index, or null for other instructions.
Value *withoutVariableIndex(Instruction &I) {
  IRBuilder<> Builder(&I);
  if (auto *Extract = dyn_cast<ExtractElementInst>(&I);
      Extract && !isa<Constant>(Extract->getIndexOperand()))
    return selectElement(Builder, Extract->getVectorOperand(), Extract->getIndexOperand());
  if (auto *Insert = dyn_cast<InsertElementInst>(&I);
      Insert && !isa<Constant>(Insert->getOperand(2)))
    return replaceElement(Builder, Insert->getOperand(0), Insert->getOperand(1),
                          Insert->getOperand(2));
  return nullptr;
}

FixedVectorType *vectorOfThree(Type *Ty) {
  auto *VecTy = dyn_cast<FixedVectorType>(Ty);
  return VecTy && VecTy->getNumElements() == 3 ? VecTy : nullptr;
}

Type *widened(Type *Ty) {
  auto *Vector = vectorOfThree(Ty);
  return Vector ? FixedVectorType::get(Vector->getElementType(), 4) : Ty;
}

/// The fourth element is zero, because callers may promise that a parameter is not undefined.
Value *widened(IRBuilder<> &Builder, Value *V) {
  if (!vectorOfThree(V->getType()))
    return V;
  return Builder.CreateShuffleVector(V, Constant::getNullValue(V->getType()),
                                     ArrayRef<int>{0, 1, 2, 3});
}

Value *narrowed(IRBuilder<> &Builder, Value *V, Type *Ty) {
  return V->getType() == Ty ? V : Builder.CreateShuffleVector(V, ArrayRef<int>{0, 1, 2});
}

/// Removes the attributes of parameters and results whose type changes.
AttributeList widenedAttributes(AttributeList Attrs, const FunctionType &Old) {
  LLVMContext &Context = Old.getContext();
  if (vectorOfThree(Old.getReturnType()))
    Attrs = Attrs.removeAttributesAtIndex(Context, AttributeList::ReturnIndex);
  for (auto [Idx, Ty] : enumerate(Old.params()))
    if (vectorOfThree(Ty))
      Attrs = Attrs.removeParamAttributes(Context, Idx);
  return Attrs;
}

void widenCall(CallBase &Old, Function &Callee) {
  IRBuilder<> Builder(&Old);
  SmallVector<Value *> Args;
  for (Value *Arg : Old.args())
    Args.push_back(widened(Builder, Arg));
  CallInst *Call = Builder.CreateCall(&Callee, Args);
  Call->setCallingConv(Old.getCallingConv());
  Call->setAttributes(widenedAttributes(Old.getAttributes(), *Old.getFunctionType()));
  Call->copyMetadata(Old);
  if (!Old.getType()->isVoidTy())
    Old.replaceAllUsesWith(narrowed(Builder, Call, Old.getType()));
  Old.eraseFromParent();
}

/// Adapts the body, which was moved from `Old`, to the new parameter and result types.
void adaptBody(Function &F, Function &Old) {
  if (F.isDeclaration())
    return;
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> Builder(&Entry, Entry.getFirstInsertionPt());
  for (auto [OldArg, Arg] : zip_equal(Old.args(), F.args())) {
    Arg.takeName(&OldArg);
    OldArg.replaceAllUsesWith(narrowed(Builder, &Arg, OldArg.getType()));
  }
  for (BasicBlock &BB : F)
    if (auto *Ret = dyn_cast<ReturnInst>(BB.getTerminator()); Ret && Ret->getNumOperands()) {
      Builder.SetInsertPoint(Ret);
      Ret->setOperand(0, widened(Builder, Ret->getReturnValue()));
    }
}

void widenParameters(Function &Old) {
  SmallVector<Type *> Parameters;
  for (Type *Ty : Old.getFunctionType()->params())
    Parameters.push_back(widened(Ty));
  auto *Ty = FunctionType::get(widened(Old.getReturnType()), Parameters, Old.isVarArg());
  if (Ty == Old.getFunctionType())
    return;
  Function &Successor = declareSuccessor(Old, Ty);
  Successor.setAttributes(widenedAttributes(Old.getAttributes(), *Old.getFunctionType()));
  Successor.splice(Successor.begin(), &Old);
  adaptBody(Successor, Old);
  for (User *U : make_early_inc_range(Old.users()))
    if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledFunction() == &Old)
      widenCall(*Call, Successor);
  Old.replaceAllUsesWith(&Successor);
  Old.eraseFromParent();
}

/// Folds constant operands. The scalarizer writes casts of constant vectors, on which LLVM's SPIR-V
/// back-end crashes if they are inside other constants.
void foldConstantOperands(Function &F) {
  const DataLayout &Layout = F.getDataLayout();
  for (Instruction &I : instructions(F))
    for (Use &Operand : I.operands())
      if (auto *C = dyn_cast<Constant>(Operand); C && !isa<GlobalValue>(C))
        if (Constant *Folded = ConstantFoldConstant(C, Layout); Folded != C)
          Operand.set(Folded);
}

} // namespace

void splitVectors(ModuleHandle &Handle, const std::vector<unsigned> &Lengths) {
  Handle.use(
      "splitting vectors",
      [&](Module &M) {
        FunctionAnalysisManager FAM;
        PassBuilder().registerFunctionAnalyses(FAM);
        ScalarizerPassOptions Options;
        Options.ScalarizeLoadStore = true;
        ScalarizerPass Pass(Options);
        for (Function &F : M)
          if (!F.isDeclaration() && hasOther(F, Lengths)) {
            Pass.run(F, FAM);
            foldConstantOperands(F);
          }
      },
      /*IsDeep=*/true);
}

void expandVariableIndices(ModuleHandle &Handle) {
  Handle.use("expanding variable indices", [](Module &M) {
    for (Function &F : M)
      for (Instruction &I : make_early_inc_range(instructions(F)))
        if (Value *Replacement = withoutVariableIndex(I)) {
          I.replaceAllUsesWith(Replacement);
          I.eraseFromParent();
        }
  });
}

void splatConditions(ModuleHandle &Handle) {
  Handle.use("splatting conditions", [](Module &M) {
    for (Function &F : M)
      for (Instruction &I : instructions(F)) {
        auto *Select = dyn_cast<SelectInst>(&I);
        auto *VecTy = Select ? dyn_cast<FixedVectorType>(Select->getType()) : nullptr;
        if (!VecTy || Select->getCondition()->getType()->isVectorTy())
          continue;
        IRBuilder<> Builder(Select);
        Select->setCondition(
            Builder.CreateVectorSplat(VecTy->getNumElements(), Select->getCondition()));
      }
  });
}

void widenVectorParameters(ModuleHandle &Handle, const std::vector<std::string> &Functions) {
  Handle.use("widening parameters", [&](Module &M) -> Error {
    for (const std::string &Name : Functions) {
      Expected<Function &> F = findFunction(M, Name);
      if (!F)
        return F.takeError();
      widenParameters(*F);
    }
    return Error::success();
  });
}

} // namespace dovetail
