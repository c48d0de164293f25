#include "variable_types.h"

#include "module.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace dovetail {

using namespace llvm;

namespace {

bool isLifetimeMarker(const User *user) {
  const auto *intrinsic = dyn_cast<IntrinsicInst>(user);
  return intrinsic && intrinsic->isLifetimeStartOrEnd();
}

/// Whether a use lets the back-end think that the variable has another type.
bool hidesType(const Use &use, const Type *type) {
  const User *user = use.getUser();
  if (isa<GetElementPtrInst>(user) || isLifetimeMarker(user))
    return false;
  if (const auto *load = dyn_cast<LoadInst>(user))
    return load->getType() != type;
  if (const auto *store = dyn_cast<StoreInst>(user))
    return use.getOperandNo() != StoreInst::getPointerOperandIndex() ||
           store->getValueOperand()->getType() != type;
  return true;
}

/// Puts `pointer` plus zero bytes in the place of all its uses but lifetime markers, whose operand
/// has to be the variable itself.
void pin(Value &pointer, BasicBlock::iterator place) {
  SmallVector<Use *> uses;
  for (Use &use : pointer.uses())
    if (!isLifetimeMarker(use.getUser()))
      uses.push_back(&use);
  if (uses.empty())
    return;
  // An IRBuilder would fold it.
  Type *byte = Type::getInt8Ty(pointer.getContext());
  Value *zero = ConstantInt::get(Type::getInt64Ty(pointer.getContext()), 0);
  auto *same = GetElementPtrInst::CreateInBounds(byte, &pointer, {zero}, "", place);
  for (Use *use : uses)
    use->set(same);
}

/// Declares a variable as bytes. That of a type with pointers would be deduced from its uses, too.
void makeBytes(AllocaInst &variable) {
  auto size = variable.getAllocationSize(variable.getDataLayout());
  if (!size || size->isScalable() || variable.isArrayAllocation())
    return;
  Type *byte = Type::getInt8Ty(variable.getContext());
  variable.setAllocatedType(ArrayType::get(byte, size->getFixedValue()));
}

/// Whether nothing but the uses of a pointer says what it points to.
bool isUntyped(const Instruction &instruction) {
  return instruction.getType()->isPointerTy() && !isa<GetElementPtrInst, AllocaInst>(instruction);
}

} // namespace

void pinVariableTypes(ModuleHandle &module) {
  module.use("pinning the types of variables", [](llvm::Module &ir) {
    for (Function &function : ir)
      for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
          if (any_of(variable->uses(), [&](const Use &use) {
                return hidesType(use, variable->getAllocatedType());
              })) {
            makeBytes(*variable);
            pin(*variable, std::next(variable->getIterator()));
          }
  });
}

void markLifetimes(ModuleHandle &module) {
  module.use("marking lifetimes", [](llvm::Module &ir) {
    for (Function &function : ir) {
      if (function.isDeclaration())
        continue;
      SmallVector<AllocaInst *> unmarked;
      for (Instruction &instruction : function.getEntryBlock())
        if (auto *variable = dyn_cast<AllocaInst>(&instruction);
            variable && none_of(variable->users(), isLifetimeMarker))
          unmarked.push_back(variable);
      if (unmarked.empty())
        continue;
      Instruction *first = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
      IRBuilder<> builder(first);
      for (AllocaInst *variable : unmarked) {
        builder.SetInsertPoint(variable->comesBefore(first) ? first : variable->getNextNode());
        builder.CreateLifetimeStart(variable);
      }
      for (BasicBlock &block : function)
        if (isa<ReturnInst>(block.getTerminator())) {
          builder.SetInsertPoint(block.getTerminator());
          for (AllocaInst *variable : unmarked)
            builder.CreateLifetimeEnd(variable);
        }
    }
  });
}

void pinPointerTypes(ModuleHandle &module) {
  module.use("pinning the types of pointers", [](llvm::Module &ir) {
    for (Function &function : ir)
      for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (isUntyped(instruction) && !instruction.isTerminator())
          pin(instruction, *instruction.getInsertionPointAfterDef());
  });
}

} // namespace dovetail
