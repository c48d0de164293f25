#include "constant_reads.h"

#include "calls.h"
#include "initial_values.h"
#include "module.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"

namespace dovetail {

using namespace llvm;

namespace {

struct Scalar {
  Type *Ty;
  uint64_t Offset;
};

bool isSupported(Type *Ty) {
  if (Ty->isHalfTy() || Ty->isFloatTy() || Ty->isDoubleTy())
    return true;
  return Ty->isIntegerTy(8) || Ty->isIntegerTy(16) || Ty->isIntegerTy(32) || Ty->isIntegerTy(64);
}

/// Appends the scalars of a type in order.
void addScalars(Type *Ty, uint64_t Offset, const DataLayout &DL, std::vector<Scalar> &Found) {
  if (isSupported(Ty)) {
    Found.push_back({Ty, Offset});
    return;
  }
  if (auto *STy = dyn_cast<StructType>(Ty)) {
    for (unsigned Idx = 0; Idx < STy->getNumElements(); ++Idx)
      addScalars(STy->getElementType(Idx), Offset + DL.getStructLayout(STy)->getElementOffset(Idx),
                 DL, Found);
    return;
  }
  // Elements of arrays, elements of vectors that are as large as in memory, or bytes.
  Type *Element = Type::getInt8Ty(Ty->getContext());
  uint64_t Count = DL.getTypeStoreSize(Ty).getFixedValue();
  if (auto *ATy = dyn_cast<ArrayType>(Ty)) {
    Element = ATy->getElementType();
    Count = ATy->getNumElements();
  } else if (auto *VTy = dyn_cast<FixedVectorType>(Ty); VTy && isSupported(VTy->getElementType())) {
    Element = VTy->getElementType();
    Count = VTy->getNumElements();
  }
  uint64_t Size = DL.getTypeAllocSize(Element).getFixedValue();
  for (uint64_t Idx = 0; Idx < Count; ++Idx)
    addScalars(Element, Offset + Idx * Size, DL, Found);
}

std::string typeName(Type *Ty) {
  std::string Name;
  raw_string_ostream(Name) << *Ty;
  return Name;
}

class ReadSplitter {
public:
  ReadSplitter(Module &M, const ConstantReadNames &Names)
      : M(M), DL(M.getDataLayout()), Names(Names) {}

  Error split(CallInst &Call) {
    auto *Variable = Call.arg_size() == 2
                         ? dyn_cast<GlobalVariable>(Call.getArgOperand(1)->stripPointerCasts())
                         : nullptr;
    if (!Variable || !Variable->hasInitializer())
      return createCallError(Call, "the variable is not known");
    Expected<std::string> Bytes = initialBytesOf(*Variable);
    if (!Bytes)
      return Bytes.takeError();
    Align Alignment = DL.getABITypeAlign(Variable->getValueType());
    IRBuilder<> Builder(&Call);
    std::vector<Scalar> Scalars;
    addScalars(Variable->getInitializer()->getType(), 0, DL, Scalars);
    for (const Scalar &Each : Scalars) {
      FunctionCallee Callee =
          declare(*Variable, Each, *Bytes, Call.getCalledFunction()->getCallingConv());
      CallInst *Result = Builder.CreateCall(Callee);
      Result->setCallingConv(Call.getCallingConv());
      Value *Place = Call.getArgOperand(0);
      if (Each.Offset)
        Place = Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Place, Each.Offset);
      Builder.CreateAlignedStore(Result, Place, commonAlignment(Alignment, Each.Offset));
    }
    return Error::success();
  }

private:
  FunctionCallee declare(const GlobalVariable &Variable, const Scalar &Each, StringRef Bytes,
                         CallingConv::ID Convention) {
    auto Known = Names.Variables.find(Variable.getName().str());
    StringRef Name = Known == Names.Variables.end() ? Variable.getName() : StringRef(Known->second);
    FunctionCallee Callee =
        M.getOrInsertFunction((Names.Prefix + Name + "." + Twine(Each.Offset)).str(), Each.Ty);
    auto *F = cast<Function>(Callee.getCallee());
    F->setCallingConv(Convention);
    F->setDoesNotAccessMemory();
    F->setDoesNotThrow();
    F->setWillReturn();
    F->setMustProgress();
    F->setSpeculatable();
    uint64_t Size = DL.getTypeStoreSize(Each.Ty).getFixedValue();
    uint64_t Whole = DL.getTypeAllocSize(Variable.getValueType()).getFixedValue();
    F->addFnAttr(Names.Attribute,
                 (Twine(Each.Offset) + " " + Twine(Whole) + " " + typeName(Each.Ty) + " " +
                  toHex(Bytes.substr(Each.Offset, Size), /*LowerCase=*/true))
                     .str());
    return Callee;
  }

  Module &M;
  const DataLayout &DL;
  const ConstantReadNames &Names;
};

} // namespace

void splitConstantReads(ModuleHandle &Handle, const ConstantReadNames &Names) {
  Handle.use("reading constants", [&](Module &M) -> Error {
    Function *Reader = M.getFunction(Names.Reader);
    if (!Reader)
      return Error::success();
    ReadSplitter Splitter(M, Names);
    for (CallBase *Call : directCalls(*Reader)) {
      auto *Plain = dyn_cast<CallInst>(Call);
      if (!Plain)
        return createCallError(*Call, "it is not a plain call");
      if (Error Err = Splitter.split(*Plain))
        return Err;
      Plain->eraseFromParent();
    }
    if (Reader->use_empty())
      Reader->eraseFromParent();
    return Error::success();
  });
}

} // namespace dovetail
