#include "scalar_types.h"

#include "module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace dovetail {

using namespace llvm;

namespace {

constexpr unsigned HalfBit = 1, DoubleBit = 2, AtomicBit = 4;

/// Analyses each type once.
class TypeBits {
public:
  unsigned of(Type *Ty) {
    auto Known = Bits.find(Ty);
    if (Known != Bits.end())
      return Known->second;
    unsigned Found = Ty->isHalfTy() ? HalfBit : Ty->isDoubleTy() ? DoubleBit : 0;
    for (Type *SubTy : Ty->subtypes())
      Found |= of(SubTy);
    Bits[Ty] = Found;
    return Found;
  }

private:
  DenseMap<Type *, unsigned> Bits;
};

bool is64BitAtomic(const Instruction &I) {
  if (const auto *CmpXchg = dyn_cast<AtomicCmpXchgInst>(&I))
    return CmpXchg->getCompareOperand()->getType()->getPrimitiveSizeInBits() == 64;
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getType()->getPrimitiveSizeInBits() == 64;
  if (I.isAtomic() && isa<LoadInst, StoreInst>(I))
    return getLoadStoreType(&I)->getPrimitiveSizeInBits() == 64;
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee || !Callee->getName().contains("__spirv_Atomic"))
    return false;
  if (Call->getType()->getPrimitiveSizeInBits() == 64)
    return true;
  // A store has no result. Its value is the last argument.
  return Call->getType()->isVoidTy() && !Call->arg_empty() &&
         Call->getArgOperand(Call->arg_size() - 1)->getType()->getPrimitiveSizeInBits() == 64;
}

unsigned bitsOf(const Instruction &I, TypeBits &Types) {
  unsigned Bits = Types.of(I.getType());
  for (const Use &Op : I.operands())
    Bits |= Types.of(Op->getType());
  if (const auto *Variable = dyn_cast<AllocaInst>(&I))
    Bits |= Types.of(Variable->getAllocatedType());
  if (const auto *GEP = dyn_cast<GetElementPtrInst>(&I))
    Bits |= Types.of(GEP->getSourceElementType());
  if (is64BitAtomic(I))
    Bits |= AtomicBit;
  return Bits;
}

std::vector<std::string> namesOf(unsigned Bits) {
  std::vector<std::string> Names;
  if (Bits & AtomicBit)
    Names.push_back("atomic i64");
  if (Bits & DoubleBit)
    Names.push_back("double");
  if (Bits & HalfBit)
    Names.push_back("half");
  return Names;
}

} // namespace

std::map<std::string, std::vector<std::string>> listScalarTypes(ModuleHandle &Handle) {
  return Handle.use("listing the types of functions", [](const Module &M) {
    std::map<std::string, std::vector<std::string>> Found;
    TypeBits Types;
    for (const Function &F : M) {
      unsigned Bits = 0;
      for (const Argument &Arg : F.args())
        Bits |= F.isDeclaration() ? 0 : Types.of(Arg.getType());
      for (const Instruction &I : instructions(F))
        Bits |= bitsOf(I, Types);
      if (Bits)
        Found[F.getName().str()] = namesOf(Bits);
    }
    return Found;
  });
}

} // namespace dovetail
