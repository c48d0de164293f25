#include "conditional_callers.h"

#include "calls.h"
#include "module.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Whether nothing reads the memory that the pointer points to.
bool isOnlyWritten(const Value &Pointer) {
  return all_of(Pointer.users(), [&](const User *U) {
    if (auto *Store = dyn_cast<StoreInst>(U))
      return Store->getPointerOperand() == &Pointer && Store->getValueOperand() != &Pointer;
    if (isa<AddrSpaceCastInst, GetElementPtrInst>(U))
      return isOnlyWritten(*U);
    auto *II = dyn_cast<IntrinsicInst>(U);
    return II && II->isLifetimeStartOrEnd();
  });
}

/// Whether the code only stores a value to memory that nothing reads, as clang does with all
/// parameters.
bool isUnread(const Value &V) {
  return all_of(V.users(), [&](const User *U) {
    if (isa<ExtractValueInst>(U))
      return isUnread(*U);
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Store->getValueOperand() != &V)
      return false;
    auto *Memory = dyn_cast<AllocaInst>(getUnderlyingObject(Store->getPointerOperand()));
    return Memory && isOnlyWritten(*Memory);
  });
}

/// Returns the index of the first parameter of the condition.
unsigned conditionStart(const Function &Caller) {
  unsigned Start = Caller.arg_size();
  while (Start > 0 && Caller.getArg(Start - 1)->getType()->isIntegerTy(32) &&
         isUnread(*Caller.getArg(Start - 1)))
    --Start;
  return Start;
}

SmallVector<const CallBase *, 2> callsIn(const Function &Caller) {
  SmallVector<const CallBase *, 2> Calls;
  for (const Instruction &I : instructions(Caller))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(Call))
      Calls.push_back(Call);
  return Calls;
}

/// Returns the function that the caller calls, or null if its body has another form.
const Function *actionOf(const Function &Caller) {
  auto Calls = callsIn(Caller);
  if (Calls.size() != 1 || !isa<CallInst>(Calls.front()) || !isUnread(*Calls.front()) ||
      !Caller.getReturnType()->isVoidTy())
    return nullptr;
  const Function *Action = namedCallee(*Calls.front());
  bool Fits = Action && !Action->isVarArg() &&
              Action->getFunctionType() == Calls.front()->getFunctionType();
  return Fits ? Action : nullptr;
}

/// Whether a constant is only part of lists for the compiler, such as llvm.used.
bool isOnlyListed(const User &U) {
  if (isa<GlobalVariable>(U))
    return U.getName().starts_with("llvm.");
  return isa<Constant>(U) && !isa<GlobalValue>(U) &&
         all_of(U.users(), [](const User *Holder) { return isOnlyListed(*Holder); });
}

bool isReferenced(const Function &Caller) {
  return any_of(Caller.uses(), [](const Use &U) {
    auto *Call = dyn_cast<CallInst>(U.getUser());
    bool IsCalled = Call && Call->isCallee(&U);
    return !IsCalled && !isOnlyListed(*U.getUser());
  });
}

using CallerMap = MapVector<Function *, std::vector<CallInst *>>;

/// Returns the callers in module order, each with its calls in the order of the code.
CallerMap findCallers(Module &M, StringRef AttrName) {
  CallerMap Callers;
  for (Function &F : M)
    if (F.hasFnAttribute(AttrName) && !F.isDeclaration())
      Callers.try_emplace(&F);
  for (CallInst *Call : callsOfMarked(M, AttrName, /*AreDefined=*/true))
    Callers[Call->getCalledFunction()].push_back(Call);
  return Callers;
}

struct PlannedExpansion {
  CallInst *Call;
  const Function *Action;
  const Expansion *Outcome;
};

Expected<std::vector<PlannedExpansion>> planExpansion(const CallerMap &Callers, StringRef AttrName,
                                                      const ExpansionMap &Expansions) {
  std::vector<PlannedExpansion> Plan;
  for (const auto &[Caller, Calls] : Callers) {
    const Function *Action = actionOf(*Caller);
    // An action that is also a caller would be inlined and erased.
    if (!Action || isReferenced(*Caller) || Action->hasFnAttribute(AttrName))
      return createStringError("'" + Caller->getName() + "' cannot be expanded");
    unsigned Start = conditionStart(*Caller);
    for (CallInst *Call : Calls) {
      Expected<Condition> Cond = readConstantCondition(*Call, Start);
      if (!Cond)
        return Cond.takeError();
      auto Entry = Expansions.find({Caller->getName().str(), std::move(*Cond)});
      if (Entry == Expansions.end())
        return createStringError("no expansion is given for the call of '" + Caller->getName() +
                                 "' in '" + Call->getFunction()->getName() + "'");
      Plan.push_back({Call, Action, &Entry->second});
    }
  }
  return Plan;
}

/// Returns the function for conditional calls of the action, declared if necessary.
Expected<Function &> declareConditional(const CallInst &Call, Function &Action,
                                        const std::string &Name, size_t ConditionSize,
                                        Attribute Mark) {
  Module &M = *Action.getParent();
  LLVMContext &Context = M.getContext();
  SmallVector<Type *> Types = {Action.getType()};
  append_range(Types, Action.getFunctionType()->params());
  Types.append(ConditionSize, Type::getInt32Ty(Context));
  auto *FTy = FunctionType::get(Type::getVoidTy(Context), Types, /*isVarArg=*/false);
  if (GlobalValue *Known = M.getNamedValue(Name)) {
    if (Known->getValueType() != FTy)
      return createStringError("there is already a '" + Name + "' of another type");
    return *cast<Function>(Known);
  }
  auto *F = Function::Create(FTy, GlobalValue::ExternalLinkage, Action.getAddressSpace(), Name, &M);
  F->setCallingConv(Call.getCallingConv());
  SmallVector<AttributeSet> ParamAttrs(1);
  for (unsigned Index = 0; Index < Action.arg_size(); ++Index)
    ParamAttrs.push_back(Call.getAttributes().getParamAttrs(Index));
  // The function that it calls may wait for other work-items.
  AttrBuilder Attrs(Context);
  Attrs.addAttribute(Attribute::Convergent).addAttribute(Attribute::NoUnwind);
  Attrs.addAttribute(Mark);
  F->setAttributes(
      AttributeList::get(Context, AttributeSet::get(Context, Attrs), AttributeSet(), ParamAttrs));
  return *F;
}

/// Inlines a call of a conditional caller. Returns the inlined call of the action, or null if the
/// arguments show that it is unreachable.
Expected<CallInst *> inlineCaller(CallInst &Call, const Function &Action) {
  std::string Names =
      (Call.getCalledFunction()->getName() + "' into '" + Call.getFunction()->getName()).str();
  InlineFunctionInfo Info;
  InlineResult Result = InlineFunction(Call, Info, /*MergeAttributes=*/true);
  if (!Result.isSuccess())
    return createStringError("cannot inline '" + Names + "': " + Result.getFailureReason());
  for (CallBase *Inlined : Info.InlinedCallSites)
    if (namedCallee(*Inlined) == &Action)
      return cast<CallInst>(Inlined);
  return nullptr;
}

/// Removes the callers from the list in which clang records annotated functions.
void dropAnnotations(Module &M, const CallerMap &Callers) {
  GlobalVariable *List = M.getGlobalVariable("llvm.global.annotations");
  auto *Entries = List ? dyn_cast<ConstantArray>(List->getInitializer()) : nullptr;
  if (!Entries)
    return;
  SmallVector<Constant *> Kept;
  for (const Use &Entry : Entries->operands()) {
    Constant *Annotated = cast<Constant>(Entry)->getAggregateElement(0u);
    auto *F = Annotated ? dyn_cast<Function>(Annotated->stripPointerCasts()) : nullptr;
    if (!Callers.contains(F))
      Kept.push_back(cast<Constant>(Entry));
  }
  if (!Kept.empty()) {
    auto *ArrayTy = ArrayType::get(Entries->getType()->getElementType(), Kept.size());
    auto *NewList = new GlobalVariable(M, ArrayTy, List->isConstant(), List->getLinkage(),
                                       ConstantArray::get(ArrayTy, Kept), "", List);
    NewList->copyAttributesFrom(List);
    NewList->takeName(List);
  }
  List->eraseFromParent();
}

void eraseCallers(Module &M, const CallerMap &Callers) {
  dropAnnotations(M, Callers);
  removeFromUsedLists(M, [&](Constant *Used) {
    return Callers.contains(dyn_cast<Function>(Used->stripPointerCasts()));
  });
  for (const auto &[Caller, Calls] : Callers) {
    Caller->removeDeadConstantUsers();
    Caller->eraseFromParent();
  }
}

Error expand(const PlannedExpansion &Planned, StringRef AttrName) {
  Attribute Mark = Planned.Call->getCalledFunction()->getFnAttribute(AttrName);
  Expected<CallInst *> Call = inlineCaller(*Planned.Call, *Planned.Action);
  if (!Call)
    return Call.takeError();
  if (!*Call)
    return Error::success();
  if (const bool *IsCalled = std::get_if<bool>(Planned.Outcome)) {
    if (!*IsCalled)
      removeCall(**Call);
    return Error::success();
  }
  const auto &[Name, Cond] = std::get<1>(*Planned.Outcome);
  auto &Action = const_cast<Function &>(*Planned.Action);
  Expected<Function &> Conditional = declareConditional(**Call, Action, Name, Cond.size(), Mark);
  if (!Conditional)
    return Conditional.takeError();
  makeConditional(**Call, *Conditional, Cond);
  return Error::success();
}

} // namespace

std::vector<ConditionalCallerRecord> conditionalCallers(ModuleHandle &Handle,
                                                        const std::string &AttrName) {
  using RecordVector = std::vector<ConditionalCallerRecord>;
  return Handle.look("listing conditional callers", [&](Module &M) -> Expected<RecordVector> {
    RecordVector Records;
    for (const auto &[Caller, Calls] : findCallers(M, AttrName)) {
      const Function *Action = actionOf(*Caller);
      ConditionalCallerRecord Record{Caller->getName().str(),
                                     Action ? std::optional(Action->getName().str()) : std::nullopt,
                                     static_cast<unsigned>(callsIn(*Caller).size()),
                                     isReferenced(*Caller),
                                     {}};
      unsigned Start = conditionStart(*Caller);
      for (const CallInst *Call : Calls) {
        Expected<ConditionRecord> Cond = readCondition(*Call, Start);
        if (!Cond)
          return Cond.takeError();
        Record.Calls.emplace_back(Call->getFunction()->getName().str(), std::move(*Cond));
      }
      Records.push_back(std::move(Record));
    }
    return Records;
  });
}

void expandConditionalCallers(ModuleHandle &Handle, const std::string &AttrName,
                              const ExpansionMap &Expansions) {
  Handle.use("expanding conditional callers", [&](Module &M) -> Error {
    CallerMap Callers = findCallers(M, AttrName);
    Expected<std::vector<PlannedExpansion>> Plan = planExpansion(Callers, AttrName, Expansions);
    if (!Plan)
      return Plan.takeError();
    for (const PlannedExpansion &Planned : *Plan)
      if (Error Err = expand(Planned, AttrName))
        return Err;
    eraseCallers(M, Callers);
    return Error::success();
  });
}

} // namespace dovetail
