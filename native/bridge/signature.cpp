#include "signature.h"

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

/// Returns an error unless values of one type can be converted to the other: both are pointers,
/// both are integers, or they are equal.
Error checkConvertible(const Type *FromTy, const Type *ToTy) {
  if (FromTy == ToTy || (FromTy->isPointerTy() && ToTy->isPointerTy()) ||
      (FromTy->isIntegerTy() && ToTy->isIntegerTy()))
    return Error::success();
  return createStringError("a parameter of type " + typeText(FromTy) + " cannot be passed as " +
                           typeText(ToTy));
}

Value *convert(IRBuilder<> &Builder, Value *V, Type *Ty) {
  if (V->getType() == Ty)
    return V;
  if (Ty->isPointerTy())
    return Builder.CreateAddrSpaceCast(V, Ty);
  // A bool in memory is a byte. It is true if any bit is set.
  if (Ty->isIntegerTy(1))
    return Builder.CreateIsNotNull(V);
  return Builder.CreateZExtOrTrunc(V, Ty);
}

Expected<Argument *> findParameter(Function &F, unsigned ArgNo) {
  if (ArgNo >= F.arg_size())
    return createStringError("function '" + F.getName() + "' has no parameter " + Twine(ArgNo));
  return F.getArg(ArgNo);
}

/// Returns the callee's parameter types, except for the listed parameters.
Expected<SmallVector<Type *>> wrapperTypes(Module &M, Function &Callee,
                                           const std::map<unsigned, std::string> &ParameterTypes) {
  SmallVector<Type *> Types(Callee.getFunctionType()->params());
  for (const auto &[ArgNo, Text] : ParameterTypes) {
    if (Expected<Argument *> Parameter = findParameter(Callee, ArgNo); !Parameter)
      return Parameter.takeError();
    Expected<Type *> Ty = parseParameterType(M, Text);
    if (!Ty)
      return Ty.takeError();
    if (Error Err = checkConvertible(*Ty, Types[ArgNo]))
      return std::move(Err);
    Types[ArgNo] = *Ty;
  }
  return Types;
}

/// Returns the callee's parameter attributes, if they are valid for the wrapper's types, and those
/// function attributes that also hold for a function that only calls it.
AttributeList wrapperAttributes(const Function &Callee, ArrayRef<Type *> Types) {
  LLVMContext &Context = Callee.getContext();
  AttributeList Old = Callee.getAttributes();
  SmallVector<AttributeSet> ParamAttrs;
  for (auto [ArgNo, Ty] : enumerate(Types)) {
    AttributeSet Attrs = Old.getParamAttrs(ArgNo);
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

/// Returns a linkage that is visible outside and merges duplicates if the callee's does.
GlobalValue::LinkageTypes wrapperLinkage(const Function &Callee) {
  if (Callee.hasLocalLinkage())
    return GlobalValue::ExternalLinkage;
  // Nothing in its module refers to it, so linkonce would allow to discard it.
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
  // Attributes such as byval must also be at the call.
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

/// Where to store to the object that a parameter points to.
struct StoreLocation {
  Value *Object;
  Instruction *InsertBefore;
};

/// Returns the location for stores to an object: the object itself or, if it is in memory that the
/// function shares with others, the copy that clang creates.
Expected<StoreLocation> locationOf(Argument &Parameter) {
  BasicBlock &Entry = Parameter.getParent()->getEntryBlock();
  if (!Parameter.hasByRefAttr())
    return StoreLocation{&Parameter, &*Entry.getFirstNonPHIOrDbgOrAlloca()};
  for (User *U : Parameter.users())
    if (auto *Copy = dyn_cast<MemCpyInst>(U); Copy && Copy->getRawSource() == &Parameter)
      return StoreLocation{Copy->getRawDest(), Copy->getNextNode()};
  return createStringError("function '" + Parameter.getParent()->getName() +
                           "' does not copy parameter " + Twine(Parameter.getArgNo()));
}

/// Whether an object is passed as its only member, a pointer, instead of by a pointer to the
/// object.
bool isPassedAsItself(const Argument &Object) {
  return !Object.hasPassPointeeByValueCopyAttr() && !Object.hasByRefAttr();
}

/// A store that is known to be possible.
struct PlannedStore {
  Argument *Parameter;
  Argument *Object;
  StoreLocation Location;
  uint64_t Offset;
};

/// Checks a store of a parameter or, if `Base` is not null, of the address at that offset from
/// `Base`, as a `StoredTy`, if that is not null.
Expected<PlannedStore> planStore(Function &F, const ParameterStore &Store, const Value *Base,
                                 const Type *StoredTy) {
  Expected<Argument *> Parameter = findParameter(F, Store.Value);
  if (!Parameter)
    return Parameter.takeError();
  Expected<Argument *> Object = findParameter(F, Store.Object);
  if (!Object)
    return Object.takeError();
  auto Fail = [&](unsigned ArgNo, const Twine &Reason) {
    return createStringError("parameter " + Twine(ArgNo) + " of '" + F.getName() + "' is " +
                             Reason);
  };
  const Type *Ty = Base ? Base->getType() : (*Parameter)->getType();
  if (Base && !(*Parameter)->getType()->isIntegerTy())
    return Fail(Store.Value, "not an offset");
  if (!(*Object)->getType()->isPointerTy())
    return Fail(Store.Object, "not a pointer");
  if (StoredTy)
    if (Error Err = checkConvertible(Ty, StoredTy))
      return std::move(Err);
  if (isPassedAsItself(**Object)) {
    if (Store.Offset)
      return Fail(Store.Object,
                  "a single pointer, so offset " + Twine(Store.Offset) + " is out of range");
    if (Error Err = checkConvertible(StoredTy ? StoredTy : Ty, (*Object)->getType()))
      return std::move(Err);
  }
  Expected<StoreLocation> Location = locationOf(**Object);
  if (!Location)
    return Location.takeError();
  return PlannedStore{*Parameter, *Object, *Location, Store.Offset};
}

void writeStore(const PlannedStore &Store, GlobalVariable *Base, Type *StoredTy) {
  IRBuilder<> Builder(Store.Location.InsertBefore);
  Type *ByteTy = Builder.getInt8Ty();
  Value *V = Store.Parameter;
  if (Base)
    V = Builder.CreateInBoundsGEP(ByteTy, Base, V);
  if (StoredTy)
    V = convert(Builder, V, StoredTy);
  if (isPassedAsItself(*Store.Object)) {
    Store.Object->replaceAllUsesWith(convert(Builder, V, Store.Object->getType()));
    return;
  }
  Builder.CreateStore(
      V, Builder.CreateConstInBoundsGEP1_64(ByteTy, Store.Location.Object, Store.Offset));
}

/// Moves the code of `Old` to `Successor`, with all uses of `Old` and its arguments.
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
  Handle.use("cloning a function", [&](Module &M) -> Error {
    Expected<Function &> F = findDefinition(M, Name);
    if (!F)
      return F.takeError();
    if (Error Err = checkNameIsFree(M, NewName))
      return Err;
    ValueToValueMapTy VMap;
    CloneFunction(&*F, VMap)->setName(NewName);
    return Error::success();
  });
}

void wrapFunction(ModuleHandle &Handle, const std::string &Callee, const std::string &Name,
                  const std::string &CallingConvention,
                  const std::map<unsigned, std::string> &ParameterTypes) {
  Handle.use("wrapping a function", [&](Module &M) -> Error {
    Expected<Function &> F = findFunction(M, Callee);
    if (!F)
      return F.takeError();
    if (Error Err = checkNameIsFree(M, Name))
      return Err;
    if (!F->getReturnType()->isVoidTy() || F->isVarArg())
      return createStringError(
          "only void functions with fixed parameters can be wrapped, unlike '" + Callee + "'");
    Expected<CallingConv::ID> Convention = parseCallingConvention(CallingConvention);
    if (!Convention)
      return Convention.takeError();
    Expected<SmallVector<Type *>> Types = wrapperTypes(M, *F, ParameterTypes);
    if (!Types)
      return Types.takeError();

    auto *FTy = FunctionType::get(F->getReturnType(), *Types, /*isVarArg=*/false);
    auto *Wrapper = Function::Create(FTy, wrapperLinkage(*F), Name, M);
    if (const Comdat *Old = F->getComdat()) {
      Comdat *Own = M.getOrInsertComdat(Name);
      Own->setSelectionKind(Old->getSelectionKind());
      Wrapper->setComdat(Own);
    }
    Wrapper->setCallingConv(*Convention);
    Wrapper->setAttributes(wrapperAttributes(*F, *Types));
    writeWrapperBody(*Wrapper, *F);
    return Error::success();
  });
}

void addParameters(ModuleHandle &Handle, const std::string &Name,
                   const std::vector<NewParameter> &Parameters) {
  Handle.use("adding parameters", [&](Module &M) -> Error {
    Expected<Function &> Old = findDefinition(M, Name);
    if (!Old)
      return Old.takeError();
    if (isCalled(*Old))
      return createStringError("function '" + Name + "' is called and cannot get more parameters");
    SmallVector<Type *> Types(Old->getFunctionType()->params());
    size_t OldCount = Types.size();
    for (const auto &[TypeName, ParameterName] : Parameters) {
      Expected<Type *> Ty = parseParameterType(M, TypeName);
      if (!Ty)
        return Ty.takeError();
      Types.push_back(*Ty);
    }

    Function &Successor =
        declareSuccessor(*Old, FunctionType::get(Old->getReturnType(), Types, Old->isVarArg()));
    moveBody(*Old, Successor);
    for (auto [Index, Parameter] : enumerate(Parameters))
      Successor.getArg(OldCount + Index)->setName(Parameter.second);
    return Error::success();
  });
}

void storeParameters(ModuleHandle &Handle, const std::string &Name,
                     const std::vector<ParameterStore> &Stores, const std::string &Array,
                     const std::string &TypeName) {
  Handle.use("storing parameters", [&](Module &M) -> Error {
    Expected<Function &> F = findDefinition(M, Name);
    if (!F)
      return F.takeError();
    Expected<Type *> StoredTy = TypeName.empty() ? nullptr : parseParameterType(M, TypeName);
    if (!StoredTy)
      return StoredTy.takeError();
    GlobalVariable *Base = Array.empty() ? nullptr : M.getGlobalVariable(Array);
    if (!Array.empty() && !Base)
      return createStringError("there is no variable '" + Array + "'");
    // All stores are checked before the first is written.
    std::vector<PlannedStore> Plan;
    for (const ParameterStore &Store : Stores) {
      Expected<PlannedStore> Planned = planStore(*F, Store, Base, *StoredTy);
      if (!Planned)
        return Planned.takeError();
      Plan.push_back(*Planned);
    }
    for (const PlannedStore &Store : Plan)
      writeStore(Store, Base, *StoredTy);
    return Error::success();
  });
}

void declareArray(ModuleHandle &Handle, const std::string &Name, unsigned AddressSpace,
                  uint64_t Alignment) {
  Handle.use("declaring an array", [&](Module &M) -> Error {
    if (M.getGlobalVariable(Name))
      return Error::success();
    if (Error Err = checkNameIsFree(M, Name))
      return Err;
    if (!isPowerOf2_64(Alignment) || Alignment > Value::MaximumAlignment)
      return createStringError("alignment " + Twine(Alignment) +
                               " is not a power of two in LLVM's range");
    auto *ArrayTy = ArrayType::get(Type::getInt8Ty(M.getContext()), 0);
    auto *NewArray =
        new GlobalVariable(M, ArrayTy, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                           /*Initializer=*/nullptr, Name,
                           /*InsertBefore=*/nullptr, GlobalValue::NotThreadLocal, AddressSpace);
    NewArray->setAlignment(Align(Alignment));
    return Error::success();
  });
}

} // namespace dovetail
