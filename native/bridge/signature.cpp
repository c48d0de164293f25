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

std::string typeText(const Type *type) {
  std::string text;
  raw_string_ostream stream(text);
  type->print(stream, /*IsForDebug=*/false, /*NoDetails=*/true);
  return text;
}

/// `value` as a `type`, or IRError if the two are neither pointers nor integers.
Value *convert(IRBuilder<> &builder, Value *value, Type *type) {
  Type *from = value->getType();
  if (from == type)
    return value;
  if (from->isPointerTy() && type->isPointerTy())
    return builder.CreateAddrSpaceCast(value, type);
  if (!from->isIntegerTy() || !type->isIntegerTy())
    throw IRError("a parameter of type " + typeText(from) + " cannot be passed as " +
                  typeText(type));
  // A bool in memory is a byte; any bit of it makes it true.
  if (type->isIntegerTy(1))
    return builder.CreateIsNotNull(value);
  return builder.CreateZExtOrTrunc(value, type);
}

Argument &parameterOf(Function &function, unsigned index) {
  if (index >= function.arg_size())
    throw IRError(("function '" + function.getName() + "' has no parameter " + Twine(index)).str());
  return *function.getArg(index);
}

/// The callee's types but for the listed ones.
SmallVector<Type *> wrapperTypes(llvm::Module &ir, Function &callee,
                                 const std::map<unsigned, std::string> &parameterTypes) {
  SmallVector<Type *> types(callee.getFunctionType()->params());
  for (const auto &[index, text] : parameterTypes) {
    parameterOf(callee, index);
    types[index] = parseParameterType(ir, text);
  }
  return types;
}

/// The callee's parameter attributes as far as they make sense for the wrapper's types, and those
/// function attributes that hold for a function that does nothing but call it.
AttributeList wrapperAttributes(const Function &callee, ArrayRef<Type *> types) {
  LLVMContext &context = callee.getContext();
  AttributeList old = callee.getAttributes();
  SmallVector<AttributeSet> parameters;
  for (auto [index, type] : enumerate(types)) {
    AttributeSet attributes = old.getParamAttrs(index);
    parameters.push_back(
        attributes.removeAttributes(context, AttributeFuncs::typeIncompatible(type, attributes)));
  }
  AttrBuilder function(context);
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::Convergent})
    if (callee.hasFnAttribute(kind))
      function.addAttribute(kind);
  // Code for another processor could not be inlined into the wrapper.
  for (const char *key : {"target-cpu", "target-features", "tune-cpu"})
    if (callee.hasFnAttribute(key))
      function.addAttribute(callee.getFnAttribute(key));
  return AttributeList::get(context, AttributeSet::get(context, function), AttributeSet(),
                            parameters);
}

/// Visible from outside, and there once however many modules hold it if that is so for the callee.
GlobalValue::LinkageTypes wrapperLinkage(const Function &callee) {
  if (callee.hasLocalLinkage())
    return GlobalValue::ExternalLinkage;
  // Nothing in its module refers to it, so it would be dropped if it could be.
  if (callee.hasLinkOnceLinkage())
    return GlobalValue::getWeakLinkage(callee.hasLinkOnceODRLinkage());
  return callee.getLinkage();
}

void writeWrapperBody(Function &wrapper, Function &callee) {
  IRBuilder<> builder(BasicBlock::Create(wrapper.getContext(), "entry", &wrapper));
  SmallVector<Value *> arguments;
  for (auto [argument, parameter] : zip_equal(wrapper.args(), callee.args())) {
    argument.setName(parameter.getName());
    arguments.push_back(convert(builder, &argument, parameter.getType()));
  }
  CallInst *call = builder.CreateCall(&callee, arguments);
  call->setCallingConv(callee.getCallingConv());
  // byval and the like must be at the call, too.
  AttributeList attributes = callee.getAttributes();
  call->setAttributes(attributes.removeFnAttributes(wrapper.getContext()));
  builder.CreateRetVoid();
}

bool isCalled(const Function &function) {
  return any_of(function.uses(), [](const Use &use) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    return call && call->isCallee(&use);
  });
}

/// Where to store into the object that a parameter points to.
struct Place {
  Value *object;
  Instruction *before;
};

/// The object itself or, if it lies in memory that the function shares with others, the copy that
/// clang has made of it.
Place placeOf(Argument &parameter) {
  BasicBlock &entry = parameter.getParent()->getEntryBlock();
  if (!parameter.hasByRefAttr())
    return {&parameter, &*entry.getFirstNonPHIOrDbgOrAlloca()};
  for (User *user : parameter.users())
    if (auto *copy = dyn_cast<MemCpyInst>(user); copy && copy->getRawSource() == &parameter)
      return {copy->getRawDest(), copy->getNextNode()};
  throw IRError(("function '" + parameter.getParent()->getName() + "' does not copy parameter " +
                 Twine(parameter.getArgNo()))
                    .str());
}

/// Whether an object is passed as the one pointer that it is made of; else a pointer to it is.
bool isPassedAsItself(const Argument &object) {
  return !object.hasPassPointeeByValueCopyAttr() && !object.hasByRefAttr();
}

/// Moves the code of `old` over, and everything that refers to `old` or its arguments.
void moveBody(Function &old, Function &successor) {
  successor.splice(successor.begin(), &old);
  for (auto [oldArgument, argument] : zip(old.args(), successor.args())) {
    argument.takeName(&oldArgument);
    oldArgument.replaceAllUsesWith(&argument);
  }
  old.replaceAllUsesWith(&successor);
  old.eraseFromParent();
}

} // namespace

Function &declareSuccessor(Function &old, FunctionType *type) {
  auto *successor = Function::Create(type, old.getLinkage(), old.getAddressSpace());
  old.getParent()->getFunctionList().insert(old.getIterator(), successor);
  successor->copyAttributesFrom(&old);
  successor->setComdat(old.getComdat());
  successor->copyMetadata(&old, /*Offset=*/0);
  successor->takeName(&old);
  return *successor;
}

void cloneFunction(ModuleHandle &module, const std::string &name, const std::string &newName) {
  module.use("cloning a function", [&](llvm::Module &ir) {
    Function &function = findDefinition(ir, name);
    requireFreeName(ir, newName);
    ValueToValueMapTy map;
    CloneFunction(&function, map)->setName(newName);
  });
}

void wrapFunction(ModuleHandle &module, const std::string &callee, const std::string &name,
                  const std::string &callingConvention,
                  const std::map<unsigned, std::string> &parameterTypes) {
  module.use("wrapping a function", [&](llvm::Module &ir) {
    Function &function = findFunction(ir, callee);
    requireFreeName(ir, name);
    if (!function.getReturnType()->isVoidTy() || function.isVarArg())
      throw IRError("only void functions with fixed parameters can be wrapped; '" + callee +
                    "' is none");
    CallingConv::ID convention = parseCallingConvention(callingConvention);
    SmallVector<Type *> types = wrapperTypes(ir, function, parameterTypes);

    auto *type = FunctionType::get(function.getReturnType(), types, /*isVarArg=*/false);
    auto *wrapper = Function::Create(type, wrapperLinkage(function), name, ir);
    if (const Comdat *old = function.getComdat()) {
      Comdat *own = ir.getOrInsertComdat(name);
      own->setSelectionKind(old->getSelectionKind());
      wrapper->setComdat(own);
    }
    wrapper->setCallingConv(convention);
    wrapper->setAttributes(wrapperAttributes(function, types));
    try {
      writeWrapperBody(*wrapper, function);
    } catch (const IRError &) {
      wrapper->eraseFromParent();
      throw;
    }
  });
}

void addParameters(ModuleHandle &module, const std::string &name,
                   const std::vector<NewParameter> &parameters) {
  module.use("adding parameters", [&](llvm::Module &ir) {
    Function &old = findDefinition(ir, name);
    if (isCalled(old))
      throw IRError("function '" + name + "' is called and cannot get more parameters");
    SmallVector<Type *> types(old.getFunctionType()->params());
    size_t oldCount = types.size();
    for (const auto &[type, parameterName] : parameters)
      types.push_back(parseParameterType(ir, type));

    Function &successor =
        declareSuccessor(old, FunctionType::get(old.getReturnType(), types, old.isVarArg()));
    moveBody(old, successor);
    for (auto [offset, parameter] : enumerate(parameters))
      successor.getArg(oldCount + offset)->setName(parameter.second);
  });
}

void storeParameters(ModuleHandle &module, const std::string &name,
                     const std::vector<ParameterStore> &stores, const std::string &array,
                     const std::string &type) {
  module.use("storing parameters", [&](llvm::Module &ir) {
    Function &function = findDefinition(ir, name);
    Type *wanted = type.empty() ? nullptr : parseParameterType(ir, type);
    GlobalVariable *base = array.empty() ? nullptr : ir.getGlobalVariable(array);
    if (!array.empty() && !base)
      throw IRError("there is no variable '" + array + "'");
    // All are looked at before the first is stored.
    std::vector<Place> places;
    for (const ParameterStore &store : stores) {
      if (!parameterOf(function, store.value).getType()->isIntegerTy() && base)
        throw IRError("parameter " + std::to_string(store.value) + " of '" + name +
                      "' is no offset");
      if (!parameterOf(function, store.object).getType()->isPointerTy())
        throw IRError("parameter " + std::to_string(store.object) + " of '" + name +
                      "' is no pointer");
      if (isPassedAsItself(*function.getArg(store.object)) && store.offset)
        throw IRError("parameter " + std::to_string(store.object) + " of '" + name +
                      "' is an object that holds nothing behind a pointer");
      places.push_back(placeOf(*function.getArg(store.object)));
    }
    for (const auto &[store, place] : zip_equal(stores, places)) {
      IRBuilder<> builder(place.before);
      Type *byte = builder.getInt8Ty();
      Value *value = function.getArg(store.value);
      if (base)
        value = builder.CreateInBoundsGEP(byte, base, value);
      if (wanted)
        value = convert(builder, value, wanted);
      Argument &object = *function.getArg(store.object);
      if (isPassedAsItself(object)) {
        object.replaceAllUsesWith(convert(builder, value, object.getType()));
        continue;
      }
      builder.CreateStore(value,
                          builder.CreateConstInBoundsGEP1_64(byte, place.object, store.offset));
    }
  });
}

void declareArray(ModuleHandle &module, const std::string &name, unsigned addressSpace,
                  uint64_t alignment) {
  module.use("declaring an array", [&](llvm::Module &ir) {
    if (ir.getGlobalVariable(name))
      return;
    requireFreeName(ir, name);
    if (!isPowerOf2_64(alignment) || alignment > Value::MaximumAlignment)
      throw IRError("alignment " + std::to_string(alignment) +
                    " is not a power of two in LLVM's range");
    auto *type = ArrayType::get(Type::getInt8Ty(ir.getContext()), 0);
    auto *array = new GlobalVariable(ir, type, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                                     /*Initializer=*/nullptr, name, /*InsertBefore=*/nullptr,
                                     GlobalValue::NotThreadLocal, addressSpace);
    array->setAlignment(Align(alignment));
  });
}

} // namespace dovetail
