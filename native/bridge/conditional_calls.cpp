#include "conditional_calls.h"

#include "calls.h"
#include "module.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace dovetail {

using namespace llvm;

namespace {

bool isMarked(const Function *F, StringRef AttrName, bool IsDefined) {
  return F && F->hasFnAttribute(AttrName) && F->isDeclaration() != IsDefined;
}

/// Returns the action of a conditional call. Its type determines where the condition begins.
Expected<Function &> actionOf(const CallBase &Call) {
  auto *Action = Call.arg_empty()
                     ? nullptr
                     : dyn_cast<Function>(Call.getArgOperand(0)->stripPointerCastsAndAliases());
  if (!Action || Action->isVarArg())
    return createCallError(Call, "its first argument is not a function with fixed parameters");
  ArrayRef<Type *> Parameters = Action->getFunctionType()->params();
  if (Call.arg_size() <= Parameters.size())
    return createCallError(Call, "it lacks arguments for '" + Action->getName() + "'");
  for (auto [Index, Ty] : enumerate(Parameters))
    if (Call.getArgOperand(Index + 1)->getType() != Ty)
      return createCallError(Call, "argument " + Twine(Index + 1) + " does not fit '" +
                                       Action->getName() + "'");
  return *Action;
}

/// Returns the attributes of the call's arguments, moved by `Offset` positions, and those of its
/// function attributes that hold for any function that is called instead.
AttributeList shiftedAttributes(const CallBase &Call, unsigned Count, int Offset) {
  LLVMContext &Context = Call.getContext();
  AttributeList Old = Call.getAttributes();
  SmallVector<AttributeSet> ParamAttrs(std::max(Offset, 0));
  for (unsigned Index = 0; Index < Count; ++Index)
    ParamAttrs.push_back(Old.getParamAttrs(Index + std::max(-Offset, 0)));
  AttrBuilder FnAttrs(Context);
  for (Attribute::AttrKind Kind : {Attribute::NoUnwind, Attribute::Convergent})
    if (Old.hasFnAttr(Kind))
      FnAttrs.addAttribute(Kind);
  return AttributeList::get(Context, AttributeSet::get(Context, FnAttrs), AttributeSet(),
                            ParamAttrs);
}

/// Replaces `Old` by a call of `Callee`.
void replaceCall(CallInst &Old, Function &Callee, ArrayRef<Value *> Args,
                 const AttributeList &Attrs) {
  SmallVector<OperandBundleDef, 1> Bundles;
  Old.getOperandBundlesAsDefs(Bundles);
  CallInst *Call = CallInst::Create(&Callee, Args, Bundles, "", Old.getIterator());
  Call->setCallingConv(Callee.getCallingConv());
  Call->setAttributes(Attrs);
  Call->setTailCallKind(Old.getTailCallKind());
  Call->setDebugLoc(Old.getDebugLoc());
  removeCall(Old);
}

/// Declares a function that can be called like the action.
Function &declareLike(Function &Action, const std::string &Name) {
  auto *F = Function::Create(Action.getFunctionType(), GlobalValue::ExternalLinkage,
                             Action.getAddressSpace(), Name, Action.getParent());
  F->setCallingConv(Action.getCallingConv());
  F->setAttributes(Action.getAttributes());
  return *F;
}

struct PlannedRewrite {
  CallInst *Call;
  Function *Action;
  /// Empty if the call is to be removed.
  std::optional<std::string> Target;
};

/// Returns the type of the global that the module has or will have under that name. A name that is
/// not in the module has the type of the first action that it replaces.
const Type *typeOf(const Module &M, StringRef Name, StringMap<const Type *> &Types,
                   const Function &Action) {
  const GlobalValue *Known = M.getNamedValue(Name);
  const Type *Ty = Known ? Known->getValueType() : Action.getValueType();
  return Types.try_emplace(Name, Ty).first->second;
}

Expected<std::vector<PlannedRewrite>> planRewriting(Module &M, StringRef AttrName,
                                                    const ConditionalTargets &Targets) {
  std::vector<PlannedRewrite> Plan;
  StringMap<const Type *> Types;
  for (CallInst *Call : callsOfMarked(M, AttrName, /*AreDefined=*/false)) {
    Expected<Function &> Action = actionOf(*Call);
    if (!Action)
      return Action.takeError();
    Expected<Condition> Cond = readConstantCondition(*Call, 1 + Action->arg_size());
    if (!Cond)
      return Cond.takeError();
    auto Entry = Targets.find({Action->getName().str(), std::move(*Cond)});
    if (Entry == Targets.end())
      continue;
    const std::optional<std::string> &Target = Entry->second;
    if (Target && typeOf(M, *Target, Types, *Action) != Action->getValueType())
      return createCallError(*Call,
                             "'" + *Target + "' has not the type of '" + Action->getName() + "'");
    Plan.push_back({Call, &*Action, Target});
  }
  return Plan;
}

void rewrite(Module &M, const PlannedRewrite &Rewrite) {
  CallInst &Call = *Rewrite.Call;
  if (!Rewrite.Target)
    return removeCall(Call);
  Function *Target = M.getFunction(*Rewrite.Target);
  if (!Target)
    Target = &declareLike(*Rewrite.Action, *Rewrite.Target);
  unsigned Count = Target->arg_size();
  SmallVector<Value *> Args(Call.arg_begin() + 1, Call.arg_begin() + 1 + Count);
  replaceCall(Call, *Target, Args, shiftedAttributes(Call, Count, -1));
}

} // namespace

bool isAction(const Use &U, StringRef AttrName) {
  auto *Call = dyn_cast<CallBase>(U.getUser());
  return !AttrName.empty() && Call && Call->isArgOperand(&U) && Call->getArgOperandNo(&U) == 0 &&
         isMarked(Call->getCalledFunction(), AttrName, /*IsDefined=*/false);
}

std::vector<CallInst *> callsOfMarked(Module &M, StringRef AttrName, bool AreDefined) {
  std::vector<CallInst *> Calls;
  if (none_of(M, [&](const Function &F) { return isMarked(&F, AttrName, AreDefined); }))
    return Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (isMarked(Call->getCalledFunction(), AttrName, AreDefined))
          Calls.push_back(Call);
  return Calls;
}

Expected<ConditionRecord> readCondition(const CallBase &Call, unsigned Start) {
  ConditionRecord Cond;
  for (const Use &Arg : drop_begin(Call.args(), Start)) {
    if (!Arg->getType()->isIntegerTy(32))
      return createCallError(Call, "its last arguments are not a condition");
    auto *Number = dyn_cast<ConstantInt>(Arg);
    Cond.Numbers.push_back(Number ? std::optional(static_cast<int32_t>(Number->getSExtValue()))
                                  : std::nullopt);
  }
  return Cond;
}

Expected<Condition> readConstantCondition(const CallBase &Call, unsigned Start) {
  Expected<ConditionRecord> Cond = readCondition(Call, Start);
  if (!Cond)
    return Cond.takeError();
  Condition Numbers;
  for (std::optional<int32_t> Number : Cond->Numbers) {
    if (!Number)
      return createCallError(Call, "the integers of its condition are not all constant");
    Numbers.push_back(*Number);
  }
  return Numbers;
}

void makeConditional(CallInst &Call, Function &Conditional, const Condition &Cond) {
  auto *Action = cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases());
  SmallVector<Value *> Args = {Action};
  append_range(Args, Call.args());
  for (int32_t Number : Cond)
    Args.push_back(ConstantInt::getSigned(Type::getInt32Ty(Call.getContext()), Number));
  replaceCall(Call, Conditional, Args, shiftedAttributes(Call, Call.arg_size(), 1));
}

void removeCall(CallBase &Call) {
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(PoisonValue::get(Call.getType()));
  Call.eraseFromParent();
}

std::vector<ConditionalCallRecord> conditionalCalls(ModuleHandle &Handle,
                                                    const std::string &AttrName) {
  using RecordVector = std::vector<ConditionalCallRecord>;
  return Handle.look("listing conditional calls", [&](Module &M) -> Expected<RecordVector> {
    RecordVector Records;
    for (const CallInst *Call : callsOfMarked(M, AttrName, /*AreDefined=*/false)) {
      Expected<Function &> Action = actionOf(*Call);
      if (!Action)
        return Action.takeError();
      Expected<ConditionRecord> Cond = readCondition(*Call, 1 + Action->arg_size());
      if (!Cond)
        return Cond.takeError();
      Records.push_back({Call->getFunction()->getName().str(),
                         Call->getCalledFunction()->getName().str(), Action->getName().str(),
                         std::move(*Cond)});
    }
    return Records;
  });
}

void rewriteConditionalCalls(ModuleHandle &Handle, const std::string &AttrName,
                             const ConditionalTargets &Targets) {
  Handle.use("rewriting conditional calls", [&](Module &M) -> Error {
    Expected<std::vector<PlannedRewrite>> Plan = planRewriting(M, AttrName, Targets);
    if (!Plan)
      return Plan.takeError();
    for (const PlannedRewrite &Rewrite : *Plan)
      rewrite(M, Rewrite);
    // An unused declaration would become an import that nothing defines.
    for (Function &F : make_early_inc_range(M))
      if (isMarked(&F, AttrName, /*IsDefined=*/false) && F.use_empty())
        F.eraseFromParent();
    return Error::success();
  });
}

} // namespace dovetail
