#include "properties.h"

#include "errors.h"
#include "module.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/ValueHandle.h"

namespace dovetail {

using namespace llvm;

namespace {

constexpr const char *executionModeList = "spirv.ExecutionMode";

/// The operands of llvm.ptr.annotation.
enum Annotation { pointer, text, file, line, arguments };

std::vector<CallInst *> annotationCalls(llvm::Module &ir) {
  std::vector<CallInst *> calls;
  for (Function &function : ir)
    if (function.getIntrinsicID() == Intrinsic::ptr_annotation)
      for (User *user : function.users())
        calls.push_back(cast<CallInst>(user));
  return calls;
}

constexpr const char *propertyList = "sycl-properties";

/// The text with a backslash before each of some characters.
std::string escaped(StringRef text, StringRef special) {
  std::string made;
  for (char character : text) {
    if (special.contains(character))
      made += '\\';
    made += character;
  }
  return made;
}

/// Properties as DPC++ hands them over: names and values by turns, as strings that the last operand
/// refers to. They are written here as the design of properties has it, in the text itself.
std::string withProperties(const CallInst &call) {
  auto *variable = dyn_cast<GlobalVariable>(call.getArgOperand(arguments)->stripPointerCasts());
  auto *listed = variable && variable->hasInitializer()
                     ? dyn_cast<ConstantStruct>(variable->getInitializer())
                     : nullptr;
  std::string made = std::string(propertyList) + ":";
  const char *separator = "";
  for (unsigned index = 0; listed && index + 1 < listed->getNumOperands(); index += 2) {
    StringRef name, value;
    if (!getConstantStringInfo(listed->getOperand(index), name))
      continue;
    made += separator + escaped(name, "\\,=");
    // A property without a value may have a null pointer here.
    if (getConstantStringInfo(listed->getOperand(index + 1), value) && !value.empty())
      made += "=" + escaped(value, "\\,");
    separator = ",";
  }
  return made;
}

/// Nothing, if the text is not constant.
std::optional<std::string> textOf(const CallInst &call) {
  StringRef found;
  if (!getConstantStringInfo(call.getArgOperand(text), found))
    return std::nullopt;
  return readText(found == propertyList ? withProperties(call) : found.str());
}

/// Variables with texts of annotations, each made once for an address space.
class Texts {
public:
  explicit Texts(llvm::Module &ir) : ir(ir) {}

  Constant *get(const std::string &content, Type *type) {
    GlobalVariable *&variable = variables[{content, type}];
    if (!variable) {
      Constant *bytes = ConstantDataArray::getString(ir.getContext(), content);
      variable = new GlobalVariable(ir, bytes->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, bytes, "", nullptr,
                                    GlobalValue::NotThreadLocal, type->getPointerAddressSpace());
      variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
      variable->setSection("llvm.metadata");
    }
    return variable;
  }

private:
  llvm::Module &ir;
  std::map<std::pair<std::string, Type *>, GlobalVariable *> variables;
};

/// The variables with what a call says, each once.
SmallSetVector<GlobalVariable *, 4> variablesOf(const CallInst &call) {
  SmallSetVector<GlobalVariable *, 4> variables;
  for (unsigned operand : {text, file, arguments})
    if (auto *variable = dyn_cast<GlobalVariable>(call.getArgOperand(operand)->stripPointerCasts()))
      variables.insert(variable);
  return variables;
}

/// Removes those of some variables that nothing uses any more, and what only they refer to.
void removeUnused(ArrayRef<GlobalVariable *> variables) {
  // One may go because another has.
  std::vector<WeakVH> waiting(variables.begin(), variables.end());
  while (!waiting.empty()) {
    auto *variable = dyn_cast_or_null<GlobalVariable>(static_cast<Value *>(waiting.back()));
    waiting.pop_back();
    if (!variable || !variable->hasLocalLinkage())
      continue;
    variable->removeDeadConstantUsers();
    if (!variable->use_empty())
      continue;
    if (variable->hasInitializer())
      for (Value *operand : variable->getInitializer()->operands())
        if (auto *other = dyn_cast<GlobalVariable>(operand->stripPointerCasts()))
          waiting.emplace_back(other);
    variable->eraseFromParent();
  }
}

void replaceText(CallInst &call, const std::optional<std::string> &wanted, Texts &texts) {
  SmallSetVector<GlobalVariable *, 4> before = variablesOf(call);
  if (wanted) {
    call.setArgOperand(text, texts.get(*wanted, call.getArgOperand(text)->getType()));
    // What it referred to is in the text.
    call.setArgOperand(arguments, Constant::getNullValue(call.getArgOperand(arguments)->getType()));
  } else {
    call.replaceAllUsesWith(call.getArgOperand(pointer));
    call.eraseFromParent();
  }
  removeUnused(before.getArrayRef());
}

ExecutionMode readMode(const MDNode &node) {
  Function *function = node.getNumOperands() < 2
                           ? nullptr
                           : mdconst::dyn_extract_or_null<Function>(node.getOperand(0));
  if (!function)
    throw IRError(std::string("!") + executionModeList + " does not name a function and a mode");
  SmallVector<Metadata *> operands;
  for (unsigned index = 1; index < node.getNumOperands(); ++index)
    operands.push_back(node.getOperand(index));
  return {readText(function->getName()), readMetadata(*MDNode::get(node.getContext(), operands))};
}

} // namespace

std::map<std::string, MetadataNode> globalVariableMetadata(ModuleHandle &module,
                                                           const std::string &kind) {
  return module.use("reading metadata", [&](const llvm::Module &ir) {
    std::map<std::string, MetadataNode> nodes;
    for (const GlobalVariable &variable : ir.globals())
      if (const MDNode *node = variable.getMetadata(kind))
        nodes.emplace(variable.getName().str(), readMetadata(*node));
    return nodes;
  });
}

void setGlobalVariableMetadata(ModuleHandle &module, const std::string &kind,
                               const std::map<std::string, std::optional<MetadataNode>> &nodes) {
  module.use("writing metadata", [&](llvm::Module &ir) {
    std::vector<std::pair<GlobalVariable *, MDNode *>> plan;
    for (const auto &[name, node] : nodes)
      plan.emplace_back(&findGlobalVariable(ir, name),
                        node ? buildMetadata(ir.getContext(), *node) : nullptr);
    for (auto [variable, node] : plan)
      variable->setMetadata(kind, node);
  });
}

std::vector<ExecutionMode> executionModes(ModuleHandle &module) {
  return module.use("reading execution modes", [&](const llvm::Module &ir) {
    std::vector<ExecutionMode> modes;
    if (const NamedMDNode *list = ir.getNamedMetadata(executionModeList))
      for (const MDNode *node : list->operands())
        modes.push_back(readMode(*node));
    return modes;
  });
}

void setExecutionModes(ModuleHandle &module, const std::vector<ExecutionMode> &modes) {
  module.use("writing execution modes", [&](llvm::Module &ir) {
    std::vector<MDNode *> built;
    for (const auto &[name, operands] : modes) {
      SmallVector<Metadata *> all{ConstantAsMetadata::get(&findFunction(ir, name))};
      for (const MDOperand &operand : buildMetadata(ir.getContext(), operands)->operands())
        all.push_back(operand.get());
      built.push_back(MDNode::get(ir.getContext(), all));
    }
    if (NamedMDNode *list = ir.getNamedMetadata(executionModeList))
      list->eraseFromParent();
    if (built.empty())
      return;
    NamedMDNode *list = ir.getOrInsertNamedMetadata(executionModeList);
    for (MDNode *node : built)
      list->addOperand(node);
  });
}

std::vector<std::string> pointerAnnotations(ModuleHandle &module) {
  return module.use("reading annotations", [](const llvm::Module &ir) {
    std::vector<std::string> found;
    std::map<std::string, bool> seen;
    // Nothing is changed; LLVM's lists of users have no view for readers.
    for (CallInst *call : annotationCalls(const_cast<llvm::Module &>(ir)))
      if (std::optional<std::string> content = textOf(*call);
          content && seen.emplace(*content, true).second)
        found.push_back(*content);
    return found;
  });
}

void setPointerAnnotations(ModuleHandle &module,
                           const std::map<std::string, std::optional<std::string>> &texts) {
  module.use("writing annotations", [&](llvm::Module &ir) {
    Texts made(ir);
    for (CallInst *call : annotationCalls(ir)) {
      std::optional<std::string> content = textOf(*call);
      if (auto wanted = content ? texts.find(*content) : texts.end(); wanted != texts.end())
        replaceText(*call, wanted->second, made);
    }
  });
}

} // namespace dovetail
