#include "scalar_types.h"

#include "module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace dovetail {

using namespace llvm;

namespace {

constexpr unsigned halfBit = 1, doubleBit = 2, atomicBit = 4;

/// Looks into each type once.
class TypeBits {
public:
  unsigned of(Type *type) {
    auto known = bits.find(type);
    if (known != bits.end())
      return known->second;
    unsigned found = type->isHalfTy() ? halfBit : type->isDoubleTy() ? doubleBit : 0;
    for (Type *part : type->subtypes())
      found |= of(part);
    bits[type] = found;
    return found;
  }

private:
  DenseMap<Type *, unsigned> bits;
};

bool is64BitAtomic(const Instruction &instruction) {
  if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getCompareOperand()->getType()->getPrimitiveSizeInBits() == 64;
  if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getType()->getPrimitiveSizeInBits() == 64;
  if (instruction.isAtomic() && isa<LoadInst, StoreInst>(instruction))
    return getLoadStoreType(&instruction)->getPrimitiveSizeInBits() == 64;
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->getName().contains("__spirv_Atomic"))
    return false;
  if (call->getType()->getPrimitiveSizeInBits() == 64)
    return true;
  // A store has no result; its value is the last argument.
  return call->getType()->isVoidTy() && !call->arg_empty() &&
         call->getArgOperand(call->arg_size() - 1)->getType()->getPrimitiveSizeInBits() == 64;
}

unsigned bitsOf(const Instruction &instruction, TypeBits &types) {
  unsigned bits = types.of(instruction.getType());
  for (const Use &operand : instruction.operands())
    bits |= types.of(operand->getType());
  if (const auto *variable = dyn_cast<AllocaInst>(&instruction))
    bits |= types.of(variable->getAllocatedType());
  if (const auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    bits |= types.of(address->getSourceElementType());
  if (is64BitAtomic(instruction))
    bits |= atomicBit;
  return bits;
}

std::vector<std::string> namesOf(unsigned bits) {
  std::vector<std::string> names;
  if (bits & atomicBit)
    names.push_back("atomic i64");
  if (bits & doubleBit)
    names.push_back("double");
  if (bits & halfBit)
    names.push_back("half");
  return names;
}

} // namespace

std::map<std::string, std::vector<std::string>> listScalarTypes(ModuleHandle &module) {
  return module.use("listing the types of functions", [](const llvm::Module &ir) {
    std::map<std::string, std::vector<std::string>> found;
    TypeBits types;
    for (const Function &function : ir) {
      unsigned bits = 0;
      for (const Argument &argument : function.args())
        bits |= function.isDeclaration() ? 0 : types.of(argument.getType());
      for (const Instruction &instruction : instructions(function))
        bits |= bitsOf(instruction, types);
      if (bits)
        found[function.getName().str()] = namesOf(bits);
    }
    return found;
  });
}

} // namespace dovetail
