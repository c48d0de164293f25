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

bool isOther(const Type *type, ArrayRef<unsigned> lengths) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && !is_contained(lengths, vector->getNumElements());
}

bool hasOther(const Function &function, ArrayRef<unsigned> lengths) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    return isOther(instruction.getType(), lengths) ||
           any_of(instruction.operands(),
                  [&](const Use &use) { return isOther(use->getType(), lengths); });
  });
}

/// The element at an index, or zero if the index is out of range, where any value would do.
Value *selectElement(IRBuilder<> &builder, Value *vector, Value *index) {
  auto *type = cast<FixedVectorType>(vector->getType());
  Value *selected = Constant::getNullValue(type->getElementType());
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value *isHere = builder.CreateICmpEQ(index, ConstantInt::get(index->getType(), i));
    selected = builder.CreateSelect(isHere, builder.CreateExtractElement(vector, i), selected);
  }
  return selected;
}

Value *replaceElement(IRBuilder<> &builder, Value *vector, Value *element, Value *index) {
  auto *type = cast<FixedVectorType>(vector->getType());
  Value *replaced = PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value *isHere = builder.CreateICmpEQ(index, ConstantInt::get(index->getType(), i));
    Value *here = builder.CreateSelect(isHere, element, builder.CreateExtractElement(vector, i));
    replaced = builder.CreateInsertElement(replaced, here, i);
  }
  return replaced;
}

/// What an instruction with a variable index computes, without one; null for other instructions.
Value *withoutVariableIndex(Instruction &instruction) {
  IRBuilder<> builder(&instruction);
  if (auto *extract = dyn_cast<ExtractElementInst>(&instruction);
      extract && !isa<Constant>(extract->getIndexOperand()))
    return selectElement(builder, extract->getVectorOperand(), extract->getIndexOperand());
  if (auto *insert = dyn_cast<InsertElementInst>(&instruction);
      insert && !isa<Constant>(insert->getOperand(2)))
    return replaceElement(builder, insert->getOperand(0), insert->getOperand(1),
                          insert->getOperand(2));
  return nullptr;
}

FixedVectorType *vectorOfThree(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && vector->getNumElements() == 3 ? vector : nullptr;
}

Type *widened(Type *type) {
  auto *vector = vectorOfThree(type);
  return vector ? FixedVectorType::get(vector->getElementType(), 4) : type;
}

/// The fourth element is zero: callers may promise that nothing in a parameter is undefined.
Value *widened(IRBuilder<> &builder, Value *value) {
  if (!vectorOfThree(value->getType()))
    return value;
  return builder.CreateShuffleVector(value, Constant::getNullValue(value->getType()),
                                     ArrayRef<int>{0, 1, 2, 3});
}

Value *narrowed(IRBuilder<> &builder, Value *value, Type *type) {
  return value->getType() == type ? value
                                  : builder.CreateShuffleVector(value, ArrayRef<int>{0, 1, 2});
}

/// Without the attributes of parameters and results whose type changes.
AttributeList widenedAttributes(AttributeList attributes, const FunctionType &old) {
  LLVMContext &context = old.getContext();
  if (vectorOfThree(old.getReturnType()))
    attributes = attributes.removeAttributesAtIndex(context, AttributeList::ReturnIndex);
  for (auto [i, type] : enumerate(old.params()))
    if (vectorOfThree(type))
      attributes = attributes.removeParamAttributes(context, i);
  return attributes;
}

void widenCall(CallBase &old, Function &callee) {
  IRBuilder<> builder(&old);
  SmallVector<Value *> arguments;
  for (Value *argument : old.args())
    arguments.push_back(widened(builder, argument));
  CallInst *call = builder.CreateCall(&callee, arguments);
  call->setCallingConv(old.getCallingConv());
  call->setAttributes(widenedAttributes(old.getAttributes(), *old.getFunctionType()));
  call->copyMetadata(old);
  if (!old.getType()->isVoidTy())
    old.replaceAllUsesWith(narrowed(builder, call, old.getType()));
  old.eraseFromParent();
}

/// Has the body, which was that of `old`, use and return vectors of three.
void adaptBody(Function &function, Function &old) {
  if (function.isDeclaration())
    return;
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  for (auto [before, argument] : zip_equal(old.args(), function.args())) {
    argument.takeName(&before);
    before.replaceAllUsesWith(narrowed(builder, &argument, before.getType()));
  }
  for (BasicBlock &block : function)
    if (auto *back = dyn_cast<ReturnInst>(block.getTerminator()); back && back->getNumOperands()) {
      builder.SetInsertPoint(back);
      back->setOperand(0, widened(builder, back->getReturnValue()));
    }
}

void widenParameters(Function &old) {
  SmallVector<Type *> parameters;
  for (Type *type : old.getFunctionType()->params())
    parameters.push_back(widened(type));
  auto *type = FunctionType::get(widened(old.getReturnType()), parameters, old.isVarArg());
  if (type == old.getFunctionType())
    return;
  Function &successor = declareSuccessor(old, type);
  successor.setAttributes(widenedAttributes(old.getAttributes(), *old.getFunctionType()));
  successor.splice(successor.begin(), &old);
  adaptBody(successor, old);
  for (User *user : make_early_inc_range(old.users()))
    if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledFunction() == &old)
      widenCall(*call, successor);
  old.replaceAllUsesWith(&successor);
  old.eraseFromParent();
}

/// Folds constant operands. The scalarizer writes casts of constant vectors, which LLVM's SPIR-V
/// back-end crashes on inside other constants.
void foldConstantOperands(Function &F) {
  const DataLayout &Layout = F.getDataLayout();
  for (Instruction &I : instructions(F))
    for (Use &Operand : I.operands())
      if (auto *C = dyn_cast<Constant>(Operand); C && !isa<GlobalValue>(C))
        if (Constant *Folded = ConstantFoldConstant(C, Layout); Folded != C)
          Operand.set(Folded);
}

} // namespace

void splitVectors(ModuleHandle &module, const std::vector<unsigned> &lengths) {
  module.use(
      "splitting vectors",
      [&](llvm::Module &ir) {
        FunctionAnalysisManager analyses;
        PassBuilder().registerFunctionAnalyses(analyses);
        ScalarizerPassOptions options;
        options.ScalarizeLoadStore = true;
        ScalarizerPass pass(options);
        for (Function &function : ir)
          if (!function.isDeclaration() && hasOther(function, lengths)) {
            pass.run(function, analyses);
            foldConstantOperands(function);
          }
      },
      /*isDeep=*/true);
}

void expandVariableIndices(ModuleHandle &module) {
  module.use("expanding variable indices", [](llvm::Module &ir) {
    for (Function &function : ir)
      for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (Value *made = withoutVariableIndex(instruction)) {
          instruction.replaceAllUsesWith(made);
          instruction.eraseFromParent();
        }
  });
}

void splatConditions(ModuleHandle &module) {
  module.use("splatting conditions", [](llvm::Module &ir) {
    for (Function &function : ir)
      for (Instruction &instruction : instructions(function)) {
        auto *select = dyn_cast<SelectInst>(&instruction);
        auto *type = select ? dyn_cast<FixedVectorType>(select->getType()) : nullptr;
        if (!type || select->getCondition()->getType()->isVectorTy())
          continue;
        IRBuilder<> builder(select);
        select->setCondition(
            builder.CreateVectorSplat(type->getNumElements(), select->getCondition()));
      }
  });
}

void widenVectorParameters(ModuleHandle &module, const std::vector<std::string> &functions) {
  module.use("widening parameters", [&](llvm::Module &ir) {
    for (const std::string &name : functions)
      widenParameters(findFunction(ir, name));
  });
}

} // namespace dovetail
