#include "conditional_calls.h"

#include "errors.h"
#include "module.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace dovetail {

using namespace llvm;

namespace {

[[noreturn]] void refuse(const CallBase &call, const Twine &reason) {
  throw IRError(("in '" + call.getFunction()->getName() + "', call of '" +
                 call.getCalledOperand()->getName() + "': " + reason)
                    .str());
}

bool isMarked(const Function *function, StringRef attribute, bool isDefined) {
  return function && function->hasFnAttribute(attribute) && function->isDeclaration() != isDefined;
}

/// The action of a conditional call, whose type tells where the condition begins.
Function &actionOf(const CallBase &call) {
  auto *action = call.arg_empty()
                     ? nullptr
                     : dyn_cast<Function>(call.getArgOperand(0)->stripPointerCastsAndAliases());
  if (!action || action->isVarArg())
    refuse(call, "its first argument is no function with fixed parameters");
  ArrayRef<Type *> parameters = action->getFunctionType()->params();
  if (call.arg_size() <= parameters.size())
    refuse(call, "it lacks arguments for '" + action->getName() + "'");
  for (auto [index, type] : enumerate(parameters))
    if (call.getArgOperand(index + 1)->getType() != type)
      refuse(call, "argument " + Twine(index + 1) + " does not fit '" + action->getName() + "'");
  return *action;
}

/// The attributes of `from`'s arguments, each `by` further on, and of its function attributes those
/// that hold for any function that is called in its place.
AttributeList shiftedAttributes(const CallBase &from, unsigned count, int by) {
  LLVMContext &context = from.getContext();
  AttributeList old = from.getAttributes();
  SmallVector<AttributeSet> parameters(std::max(by, 0));
  for (unsigned index = 0; index < count; ++index)
    parameters.push_back(old.getParamAttrs(index + std::max(-by, 0)));
  AttrBuilder function(context);
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::Convergent})
    if (old.hasFnAttr(kind))
      function.addAttribute(kind);
  return AttributeList::get(context, AttributeSet::get(context, function), AttributeSet(),
                            parameters);
}

/// Calls `callee` where `old` does something else, which then is gone.
void replaceCall(CallInst &old, Function &callee, ArrayRef<Value *> arguments,
                 const AttributeList &attributes) {
  SmallVector<OperandBundleDef, 1> bundles;
  old.getOperandBundlesAsDefs(bundles);
  CallInst *call = CallInst::Create(&callee, arguments, bundles, "", old.getIterator());
  call->setCallingConv(callee.getCallingConv());
  call->setAttributes(attributes);
  call->setTailCallKind(old.getTailCallKind());
  call->setDebugLoc(old.getDebugLoc());
  removeCall(old);
}

/// A declaration of `name` that can be called as the action is.
Function &declareLike(Function &action, const std::string &name) {
  auto *function = Function::Create(action.getFunctionType(), GlobalValue::ExternalLinkage,
                                    action.getAddressSpace(), name, action.getParent());
  function->setCallingConv(action.getCallingConv());
  function->setAttributes(action.getAttributes());
  return *function;
}

struct Rewriting {
  CallInst *call;
  Function *action;
  /// Empty if the call is to be removed.
  std::optional<std::string> target;
};

/// The type of what the module has under that name or, if that is nothing, will have: the type of
/// the first action for which the name stands.
const Type *typeOf(const llvm::Module &ir, StringRef name, StringMap<const Type *> &types,
                   const Function &action) {
  const GlobalValue *known = ir.getNamedValue(name);
  const Type *type = known ? known->getValueType() : action.getValueType();
  return types.try_emplace(name, type).first->second;
}

std::vector<Rewriting> planRewriting(llvm::Module &ir, StringRef attribute,
                                     const ConditionalTargets &targets) {
  std::vector<Rewriting> plan;
  StringMap<const Type *> types;
  for (CallInst *call : callsOfMarked(ir, attribute, /*areDefined=*/false)) {
    Function &action = actionOf(*call);
    Condition condition = requireConstants(*call, readCondition(*call, 1 + action.arg_size()));
    auto entry = targets.find({action.getName().str(), std::move(condition)});
    if (entry == targets.end())
      continue;
    const std::optional<std::string> &target = entry->second;
    if (target && typeOf(ir, *target, types, action) != action.getValueType())
      refuse(*call, "'" + *target + "' has not the type of '" + action.getName() + "'");
    plan.push_back({call, &action, target});
  }
  return plan;
}

void rewrite(llvm::Module &ir, const Rewriting &rewriting) {
  CallInst &call = *rewriting.call;
  if (!rewriting.target)
    return removeCall(call);
  Function *target = ir.getFunction(*rewriting.target);
  if (!target)
    target = &declareLike(*rewriting.action, *rewriting.target);
  unsigned count = target->arg_size();
  SmallVector<Value *> arguments(call.arg_begin() + 1, call.arg_begin() + 1 + count);
  replaceCall(call, *target, arguments, shiftedAttributes(call, count, -1));
}

} // namespace

bool isAction(const Use &use, StringRef attribute) {
  auto *call = dyn_cast<CallBase>(use.getUser());
  return !attribute.empty() && call && call->isArgOperand(&use) &&
         call->getArgOperandNo(&use) == 0 &&
         isMarked(call->getCalledFunction(), attribute, /*isDefined=*/false);
}

std::vector<CallInst *> callsOfMarked(llvm::Module &ir, StringRef attribute, bool areDefined) {
  std::vector<CallInst *> calls;
  if (none_of(ir, [&](const Function &it) { return isMarked(&it, attribute, areDefined); }))
    return calls;
  for (Function &function : ir)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (isMarked(call->getCalledFunction(), attribute, areDefined))
          calls.push_back(call);
  return calls;
}

ConditionRecord readCondition(const CallBase &call, unsigned start) {
  ConditionRecord condition;
  for (const Use &argument : drop_begin(call.args(), start)) {
    if (!argument->getType()->isIntegerTy(32))
      refuse(call, "its last arguments are no condition");
    auto *number = dyn_cast<ConstantInt>(argument);
    condition.numbers.push_back(number ? std::optional(static_cast<int32_t>(number->getSExtValue()))
                                       : std::nullopt);
  }
  return condition;
}

Condition requireConstants(const CallBase &call, const ConditionRecord &condition) {
  Condition numbers;
  for (std::optional<int32_t> number : condition.numbers) {
    if (!number)
      refuse(call, "the integers of its condition are not all constant");
    numbers.push_back(*number);
  }
  return numbers;
}

void makeConditional(CallInst &call, Function &conditional, const Condition &condition) {
  auto *action = cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  SmallVector<Value *> arguments = {action};
  append_range(arguments, call.args());
  for (int32_t number : condition)
    arguments.push_back(ConstantInt::getSigned(Type::getInt32Ty(call.getContext()), number));
  replaceCall(call, conditional, arguments, shiftedAttributes(call, call.arg_size(), 1));
}

void removeCall(CallBase &call) {
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(PoisonValue::get(call.getType()));
  call.eraseFromParent();
}

std::vector<ConditionalCallRecord> conditionalCalls(ModuleHandle &module,
                                                    const std::string &attribute) {
  return module.look("listing conditional calls", [&](llvm::Module &ir) {
    std::vector<ConditionalCallRecord> records;
    for (const CallInst *call : callsOfMarked(ir, attribute, /*areDefined=*/false)) {
      const Function &action = actionOf(*call);
      records.push_back({call->getFunction()->getName().str(),
                         call->getCalledFunction()->getName().str(), action.getName().str(),
                         readCondition(*call, 1 + action.arg_size())});
    }
    return records;
  });
}

void rewriteConditionalCalls(ModuleHandle &module, const std::string &attribute,
                             const ConditionalTargets &targets) {
  module.use("rewriting conditional calls", [&](llvm::Module &ir) {
    for (const Rewriting &rewriting : planRewriting(ir, attribute, targets))
      rewrite(ir, rewriting);
    // A declaration that stays would become an import that nobody can satisfy.
    for (Function &function : make_early_inc_range(ir))
      if (isMarked(&function, attribute, /*isDefined=*/false) && function.use_empty())
        function.eraseFromParent();
  });
}

} // namespace dovetail
