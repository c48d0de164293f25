#include "signature.h"

#include "errors.h"
#include "module.h"
#include "symbols.h"

#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace dovetail {

using namespace llvm;

namespace {

std::string typeText(const Type *Ty) {
  std::string Text;
  raw_string_ostream OS(Text);
  Ty->print(OS, /*IsForDebug=*/false, /*NoDetails=*/true);
  return Text;
}

/// `value` as a `type`, or IRError if the two are neither pointers nor integers.
Value *convert(IRBuilder<> &Builder, Value *V, Type *Ty) {
  Type *FromTy = V->getType();
  if (FromTy == Ty)
    return V;
  if (FromTy->isPointerTy() && Ty->isPointerTy())
    return Builder.CreateAddrSpaceCast(V, Ty);
  if (!FromTy->isIntegerTy() || !Ty->isIntegerTy())
    throw IRError("a parameter of type " + typeText(FromTy) + " cannot be passed as " +
                  typeText(Ty));
  // A bool in memory is a byte; any bit of it makes it true.
  if (Ty->isIntegerTy(1))
    return Builder.CreateIsNotNull(V);
  return Builder.CreateZExtOrTrunc(V, Ty);
}

Argument &parameterOf(Function &F, unsigned Index) {
  if (Index >= F.arg_size())
    throw IRError(("function '" + F.getName() + "' has no parameter " + Twine(Index)).str());
  return *F.getArg(Index);
}

/// The callee's types but for the listed ones.
SmallVector<Type *> wrapperTypes(Module &M, Function &Callee,
                                 const std::map<unsigned, std::string> &ParameterTypes) {
  SmallVector<Type *> Types(Callee.getFunctionType()->params());
  for (const auto &[Index, Text] : ParameterTypes) {
    parameterOf(Callee, Index);
    Types[Index] = parseParameterType(M, Text);
  }
  return Types;
}

/// The callee's parameter attributes as far as they make sense for the wrapper's types, and those
/// function attributes that hold for a function that does nothing but call it.
AttributeList wrapperAttributes(const Function &Callee, ArrayRef<Type *> Types) {
  LLVMContext &Context = Callee.getContext();
  AttributeList Old = Callee.getAttributes();
  SmallVector<AttributeSet> ParamAttrs;
  for (auto [Index, Ty] : enumerate(Types)) {
    AttributeSet Attrs = Old.getParamAttrs(Index);
    ParamAttrs.push_back(
        Attrs.removeAttributes(Context, AttributeFuncs::typeIncompatible(Ty, Attrs)));
  }
  AttrBuilder FnAttrs(Context);
  for (Attribute::AttrKind Kind : {Attribute::NoUnwind, Attribute::Convergent})
    if (Callee.hasFnAttribute(Kind))
      FnAttrs.addAttribute(Kind);
  // Code for another processor could not be inlined into the wrapper.
  for (const char *Key : {"target-cpu", "target-features", "tune-cpu"})
    if (Callee.hasFnAttribute(Key))
      FnAttrs.addAttribute(Callee.getFnAttribute(Key));
  return AttributeList::get(Context, AttributeSet::get(Context, FnAttrs), AttributeSet(),
                            ParamAttrs);
}

/// Visible from outside, and there once however many modules hold it if that is so for the callee.
GlobalValue::LinkageTypes wrapperLinkage(const Function &Callee) {
  if (Callee.hasLocalLinkage())
    return GlobalValue::ExternalLinkage;
  // Nothing in its module refers to it, so it would be dropped if it could be.
  if (Callee.hasLinkOnceLinkage())
    return GlobalValue::getWeakLinkage(Callee.hasLinkOnceODRLinkage());
  return Callee.getLinkage();
}

void writeWrapperBody(Function &Wrapper, Function &Callee) {
  IRBuilder<> Builder(BasicBlock::Create(Wrapper.getContext(), "entry", &Wrapper));
  SmallVector<Value *> Args;
  for (auto [Arg, Parameter] : zip_equal(Wrapper.args(), Callee.args())) {
    Arg.setName(Parameter.getName());
    Args.push_back(convert(Builder, &Arg, Parameter.getType()));
  }
  CallInst *Call = Builder.CreateCall(&Callee, Args);
  Call->setCallingConv(Callee.getCallingConv());
  // byval and the like must be at the call, too.
  AttributeList Attrs = Callee.getAttributes();
  Call->setAttributes(Attrs.removeFnAttributes(Wrapper.getContext()));
  Builder.CreateRetVoid();
}

bool isCalled(const Function &F) {
  return any_of(F.uses(), [](const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    return Call && Call->isCallee(&U);
  });
}

/// Where to store into the object that a parameter points to.
struct StoreLocation {
  Value *Object;
  Instruction *InsertBefore;
};

/// The object itself or, if it lies in memory that the function shares with others, the copy that
/// clang has made of it.
StoreLocation placeOf(Argument &Parameter) {
  BasicBlock &Entry = Parameter.getParent()->getEntryBlock();
  if (!Parameter.hasByRefAttr())
    return {&Parameter, &*Entry.getFirstNonPHIOrDbgOrAlloca()};
  for (User *U : Parameter.users())
    if (auto *Copy = dyn_cast<MemCpyInst>(U); Copy && Copy->getRawSource() == &Parameter)
      return {Copy->getRawDest(), Copy->getNextNode()};
  throw IRError(("function '" + Parameter.getParent()->getName() + "' does not copy parameter " +
                 Twine(Parameter.getArgNo()))
                    .str());
}

/// Whether an object is passed as the one pointer that it is made of; else a pointer to it is.
bool isPassedAsItself(const Argument &Object) {
  return !Object.hasPassPointeeByValueCopyAttr() && !Object.hasByRefAttr();
}

/// Moves the code of `old` over, and everything that refers to `old` or its arguments.
void moveBody(Function &Old, Function &Successor) {
  Successor.splice(Successor.begin(), &Old);
  for (auto [OldArg, Arg] : zip(Old.args(), Successor.args())) {
    Arg.takeName(&OldArg);
    OldArg.replaceAllUsesWith(&Arg);
  }
  Old.replaceAllUsesWith(&Successor);
  Old.eraseFromParent();
}

} // namespace

Function &declareSuccessor(Function &Old, FunctionType *FTy) {
  auto *Successor = Function::Create(FTy, Old.getLinkage(), Old.getAddressSpace());
  Old.getParent()->getFunctionList().insert(Old.getIterator(), Successor);
  Successor->copyAttributesFrom(&Old);
  Successor->setComdat(Old.getComdat());
  Successor->copyMetadata(&Old, /*Offset=*/0);
  Successor->takeName(&Old);
  return *Successor;
}

void cloneFunction(ModuleHandle &Handle, const std::string &Name, const std::string &NewName) {
  Handle.use("cloning a function", [&](Module &M) {
    Function &F = findDefinition(M, Name);
    requireFreeName(M, NewName);
    ValueToValueMapTy VMap;
    CloneFunction(&F, VMap)->setName(NewName);
  });
}

void wrapFunction(ModuleHandle &Handle, const std::string &Callee, const std::string &Name,
                  const std::string &CallingConvention,
                  const std::map<unsigned, std::string> &ParameterTypes) {
  Handle.use("wrapping a function", [&](Module &M) {
    Function &F = findFunction(M, Callee);
    requireFreeName(M, Name);
    if (!F.getReturnType()->isVoidTy() || F.isVarArg())
      throw IRError("only void functions with fixed parameters can be wrapped; '" + Callee +
                    "' is none");
    CallingConv::ID Convention = parseCallingConvention(CallingConvention);
    SmallVector<Type *> Types = wrapperTypes(M, F, ParameterTypes);

    auto *FTy = FunctionType::get(F.getReturnType(), Types, /*isVarArg=*/false);
    auto *Wrapper = Function::Create(FTy, wrapperLinkage(F), Name, M);
    if (const Comdat *Old = F.getComdat()) {
      Comdat *Own = M.getOrInsertComdat(Name);
      Own->setSelectionKind(Old->getSelectionKind());
      Wrapper->setComdat(Own);
    }
    Wrapper->setCallingConv(Convention);
    Wrapper->setAttributes(wrapperAttributes(F, Types));
    try {
      writeWrapperBody(*Wrapper, F);
    } catch (const IRError &) {
      Wrapper->eraseFromParent();
      throw;
    }
  });
}

void addParameters(ModuleHandle &Handle, const std::string &Name,
                   const std::vector<NewParameter> &Parameters) {
  Handle.use("adding parameters", [&](Module &M) {
    Function &Old = findDefinition(M, Name);
    if (isCalled(Old))
      throw IRError("function '" + Name + "' is called and cannot get more parameters");
    SmallVector<Type *> Types(Old.getFunctionType()->params());
    size_t OldCount = Types.size();
    for (const auto &[Ty, ParameterName] : Parameters)
      Types.push_back(parseParameterType(M, Ty));

    Function &Successor =
        declareSuccessor(Old, FunctionType::get(Old.getReturnType(), Types, Old.isVarArg()));
    moveBody(Old, Successor);
    for (auto [Offset, Parameter] : enumerate(Parameters))
      Successor.getArg(OldCount + Offset)->setName(Parameter.second);
  });
}

void storeParameters(ModuleHandle &Handle, const std::string &Name,
                     const std::vector<ParameterStore> &Stores, const std::string &Array,
                     const std::string &TypeName) {
  Handle.use("storing parameters", [&](Module &M) {
    Function &F = findDefinition(M, Name);
    Type *StoredTy = TypeName.empty() ? nullptr : parseParameterType(M, TypeName);
    GlobalVariable *Base = Array.empty() ? nullptr : M.getGlobalVariable(Array);
    if (!Array.empty() && !Base)
      throw IRError("there is no variable '" + Array + "'");
    // All are looked at before the first is stored.
    std::vector<StoreLocation> Places;
    for (const ParameterStore &Store : Stores) {
      if (!parameterOf(F, Store.Value).getType()->isIntegerTy() && Base)
        throw IRError("parameter " + std::to_string(Store.Value) + " of '" + Name +
                      "' is no offset");
      if (!parameterOf(F, Store.Object).getType()->isPointerTy())
        throw IRError("parameter " + std::to_string(Store.Object) + " of '" + Name +
                      "' is no pointer");
      if (isPassedAsItself(*F.getArg(Store.Object)) && Store.Offset)
        throw IRError("parameter " + std::to_string(Store.Object) + " of '" + Name +
                      "' is an object that holds nothing behind a pointer");
      Places.push_back(placeOf(*F.getArg(Store.Object)));
    }
    for (const auto &[Store, Place] : zip_equal(Stores, Places)) {
      IRBuilder<> Builder(Place.InsertBefore);
      Type *ByteTy = Builder.getInt8Ty();
      Value *V = F.getArg(Store.Value);
      if (Base)
        V = Builder.CreateInBoundsGEP(ByteTy, Base, V);
      if (StoredTy)
        V = convert(Builder, V, StoredTy);
      Argument &Object = *F.getArg(Store.Object);
      if (isPassedAsItself(Object)) {
        Object.replaceAllUsesWith(convert(Builder, V, Object.getType()));
        continue;
      }
      Builder.CreateStore(V,
                          Builder.CreateConstInBoundsGEP1_64(ByteTy, Place.Object, Store.Offset));
    }
  });
}

void declareArray(ModuleHandle &Handle, const std::string &Name, unsigned AddressSpace,
                  uint64_t Alignment) {
  Handle.use("declaring an array", [&](Module &M) {
    if (M.getGlobalVariable(Name))
      return;
    requireFreeName(M, Name);
    if (!isPowerOf2_64(Alignment) || Alignment > Value::MaximumAlignment)
      throw IRError("alignment " + std::to_string(Alignment) +
                    " is not a power of two in LLVM's range");
    auto *ArrayTy = ArrayType::get(Type::getInt8Ty(M.getContext()), 0);
    auto *NewArray =
        new GlobalVariable(M, ArrayTy, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                           /*Initializer=*/nullptr, Name, /*InsertBefore=*/nullptr,
                           GlobalValue::NotThreadLocal, AddressSpace);
    NewArray->setAlignment(Align(Alignment));
  });
}

} // namespace dovetail
