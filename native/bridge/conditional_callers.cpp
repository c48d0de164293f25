#include "conditional_callers.h"

#include "errors.h"
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

/// Whether nothing reads the memory behind the pointer.
bool isOnlyWritten(const Value &pointer) {
  return all_of(pointer.users(), [&](const User *user) {
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getPointerOperand() == &pointer && store->getValueOperand() != &pointer;
    if (isa<AddrSpaceCastInst, GetElementPtrInst>(user))
      return isOnlyWritten(*user);
    auto *intrinsic = dyn_cast<IntrinsicInst>(user);
    return intrinsic && intrinsic->isLifetimeStartOrEnd();
  });
}

/// Whether the code does no more with a value than keep it, as clang does with all parameters.
bool isIdle(const Value &value) {
  return all_of(value.users(), [&](const User *user) {
    if (isa<ExtractValueInst>(user))
      return isIdle(*user);
    auto *store = dyn_cast<StoreInst>(user);
    if (!store || store->getValueOperand() != &value)
      return false;
    auto *memory = dyn_cast<AllocaInst>(getUnderlyingObject(store->getPointerOperand()));
    return memory && isOnlyWritten(*memory);
  });
}

/// The index of the parameter with which the condition begins.
unsigned conditionStart(const Function &caller) {
  unsigned start = caller.arg_size();
  while (start > 0 && caller.getArg(start - 1)->getType()->isIntegerTy(32) &&
         isIdle(*caller.getArg(start - 1)))
    --start;
  return start;
}

SmallVector<const CallBase *, 2> callsIn(const Function &caller) {
  SmallVector<const CallBase *, 2> calls;
  for (const Instruction &instruction : instructions(caller))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call))
      calls.push_back(call);
  return calls;
}

const Function *namedCallee(const CallBase &call) {
  return dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

/// What the caller calls, if its body is as it has to be.
const Function *actionOf(const Function &caller) {
  auto calls = callsIn(caller);
  if (calls.size() != 1 || !isa<CallInst>(calls.front()) || !isIdle(*calls.front()) ||
      !caller.getReturnType()->isVoidTy())
    return nullptr;
  const Function *action = namedCallee(*calls.front());
  bool fits = action && !action->isVarArg() &&
              action->getFunctionType() == calls.front()->getFunctionType();
  return fits ? action : nullptr;
}

/// Whether a constant is part of lists alone that only the compiler reads, such as llvm.used.
bool isOnlyListed(const User &user) {
  if (isa<GlobalVariable>(user))
    return user.getName().starts_with("llvm.");
  return isa<Constant>(user) && !isa<GlobalValue>(user) &&
         all_of(user.users(), [](const User *holder) { return isOnlyListed(*holder); });
}

bool isReferenced(const Function &caller) {
  return any_of(caller.uses(), [](const Use &use) {
    auto *call = dyn_cast<CallInst>(use.getUser());
    bool isCalled = call && call->isCallee(&use);
    return !isCalled && !isOnlyListed(*use.getUser());
  });
}

using Callers = MapVector<Function *, std::vector<CallInst *>>;

/// The callers in the order of the module, each with its calls in the order of the code.
Callers findCallers(llvm::Module &ir, StringRef attribute) {
  Callers callers;
  for (Function &function : ir)
    if (function.hasFnAttribute(attribute) && !function.isDeclaration())
      callers.try_emplace(&function);
  for (CallInst *call : callsOfMarked(ir, attribute, /*areDefined=*/true))
    callers[call->getCalledFunction()].push_back(call);
  return callers;
}

struct ExpandedCall {
  CallInst *call;
  const Function *action;
  const Expansion *expansion;
};

std::vector<ExpandedCall> planExpansion(const Callers &callers, StringRef attribute,
                                        const Expansions &expansions) {
  std::vector<ExpandedCall> plan;
  for (const auto &[caller, calls] : callers) {
    const Function *action = actionOf(*caller);
    // An action that is a caller itself would be inlined here and then be gone.
    if (!action || isReferenced(*caller) || action->hasFnAttribute(attribute))
      throw IRError(("'" + caller->getName() + "' cannot be expanded").str());
    unsigned start = conditionStart(*caller);
    for (CallInst *call : calls) {
      Condition condition = requireConstants(*call, readCondition(*call, start));
      auto entry = expansions.find({caller->getName().str(), std::move(condition)});
      if (entry == expansions.end())
        throw IRError(("nothing says what becomes of the call of '" + caller->getName() + "' in '" +
                       call->getFunction()->getName() + "'")
                          .str());
      plan.push_back({call, action, &entry->second});
    }
  }
  return plan;
}

/// The function of a conditional call of that action.
Function &declareConditional(const CallInst &call, Function &action, const std::string &name,
                             size_t conditionSize, Attribute mark) {
  llvm::Module &ir = *action.getParent();
  LLVMContext &context = ir.getContext();
  SmallVector<Type *> types = {action.getType()};
  append_range(types, action.getFunctionType()->params());
  types.append(conditionSize, Type::getInt32Ty(context));
  auto *type = FunctionType::get(Type::getVoidTy(context), types, /*isVarArg=*/false);
  if (GlobalValue *known = ir.getNamedValue(name)) {
    if (known->getValueType() != type)
      throw IRError("there is another '" + name + "' already");
    return *cast<Function>(known);
  }
  auto *function =
      Function::Create(type, GlobalValue::ExternalLinkage, action.getAddressSpace(), name, &ir);
  function->setCallingConv(call.getCallingConv());
  SmallVector<AttributeSet> parameters(1);
  for (unsigned index = 0; index < action.arg_size(); ++index)
    parameters.push_back(call.getAttributes().getParamAttrs(index));
  // Whatever is called behind it may wait for other work-items.
  AttrBuilder attributes(context);
  attributes.addAttribute(Attribute::Convergent).addAttribute(Attribute::NoUnwind);
  attributes.addAttribute(mark);
  function->setAttributes(AttributeList::get(context, AttributeSet::get(context, attributes),
                                             AttributeSet(), parameters));
  return *function;
}

/// Puts the caller's body in the place of its call. The call of the action therein; null if the
/// arguments show that it is not reached.
CallInst *inlineCaller(CallInst &call, const Function &action) {
  std::string place =
      (call.getCalledFunction()->getName() + "' into '" + call.getFunction()->getName()).str();
  InlineFunctionInfo info;
  InlineResult result = InlineFunction(call, info, /*MergeAttributes=*/true);
  if (!result.isSuccess())
    throw IRError("cannot inline '" + place + "': " + result.getFailureReason());
  for (CallBase *inlined : info.InlinedCallSites)
    if (namedCallee(*inlined) == &action)
      return cast<CallInst>(inlined);
  return nullptr;
}

/// Takes the callers' entries, by which clang says that they carry attributes, off its list.
void dropAnnotations(llvm::Module &ir, const Callers &callers) {
  GlobalVariable *list = ir.getGlobalVariable("llvm.global.annotations");
  auto *entries = list ? dyn_cast<ConstantArray>(list->getInitializer()) : nullptr;
  if (!entries)
    return;
  SmallVector<Constant *> kept;
  for (const Use &entry : entries->operands()) {
    Constant *annotated = cast<Constant>(entry)->getAggregateElement(0u);
    auto *function = annotated ? dyn_cast<Function>(annotated->stripPointerCasts()) : nullptr;
    if (!callers.contains(function))
      kept.push_back(cast<Constant>(entry));
  }
  if (!kept.empty()) {
    auto *type = ArrayType::get(entries->getType()->getElementType(), kept.size());
    auto *rest = new GlobalVariable(ir, type, list->isConstant(), list->getLinkage(),
                                    ConstantArray::get(type, kept), "", list);
    rest->copyAttributesFrom(list);
    rest->takeName(list);
  }
  list->eraseFromParent();
}

void eraseCallers(llvm::Module &ir, const Callers &callers) {
  dropAnnotations(ir, callers);
  removeFromUsedLists(ir, [&](Constant *used) {
    return callers.contains(dyn_cast<Function>(used->stripPointerCasts()));
  });
  for (const auto &[caller, calls] : callers) {
    caller->removeDeadConstantUsers();
    caller->eraseFromParent();
  }
}

void expand(const ExpandedCall &expanded, StringRef attribute) {
  Attribute mark = expanded.call->getCalledFunction()->getFnAttribute(attribute);
  CallInst *call = inlineCaller(*expanded.call, *expanded.action);
  if (!call)
    return;
  if (const bool *isMade = std::get_if<bool>(expanded.expansion)) {
    if (!*isMade)
      removeCall(*call);
    return;
  }
  const auto &[name, condition] = std::get<1>(*expanded.expansion);
  auto &action = const_cast<Function &>(*expanded.action);
  makeConditional(*call, declareConditional(*call, action, name, condition.size(), mark),
                  condition);
}

} // namespace

std::vector<ConditionalCallerRecord> conditionalCallers(ModuleHandle &module,
                                                        const std::string &attribute) {
  return module.look("listing conditional callers", [&](llvm::Module &ir) {
    std::vector<ConditionalCallerRecord> records;
    for (const auto &[caller, calls] : findCallers(ir, attribute)) {
      const Function *action = actionOf(*caller);
      ConditionalCallerRecord record{caller->getName().str(),
                                     action ? std::optional(action->getName().str()) : std::nullopt,
                                     static_cast<unsigned>(callsIn(*caller).size()),
                                     isReferenced(*caller),
                                     {}};
      unsigned start = conditionStart(*caller);
      for (const CallInst *call : calls)
        record.calls.emplace_back(call->getFunction()->getName().str(),
                                  readCondition(*call, start));
      records.push_back(std::move(record));
    }
    return records;
  });
}

void expandConditionalCallers(ModuleHandle &module, const std::string &attribute,
                              const Expansions &expansions) {
  module.use("expanding conditional callers", [&](llvm::Module &ir) {
    Callers callers = findCallers(ir, attribute);
    for (const ExpandedCall &expanded : planExpansion(callers, attribute, expansions))
      expand(expanded, attribute);
    eraseCallers(ir, callers);
  });
}

} // namespace dovetail
