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

constexpr const char *ExecutionModeList = "spirv.ExecutionMode";

/// The operands of llvm.ptr.annotation.
enum AnnotationOperand { PointerArg, TextArg, FileArg, LineArg, PropertiesArg };

std::vector<CallInst *> annotationCalls(Module &M) {
  std::vector<CallInst *> Calls;
  for (Function &F : M)
    if (F.getIntrinsicID() == Intrinsic::ptr_annotation)
      for (User *U : F.users())
        Calls.push_back(cast<CallInst>(U));
  return Calls;
}

constexpr const char *PropertyList = "sycl-properties";

/// The text with a backslash before each of some characters.
std::string escaped(StringRef Text, StringRef Special) {
  std::string Made;
  for (char Character : Text) {
    if (Special.contains(Character))
      Made += '\\';
    Made += Character;
  }
  return Made;
}

/// Properties as DPC++ hands them over: names and values by turns, as strings that the last operand
/// refers to. They are written here as the design of properties has it, in the text itself.
std::string withProperties(const CallInst &Call) {
  auto *Variable = dyn_cast<GlobalVariable>(Call.getArgOperand(PropertiesArg)->stripPointerCasts());
  auto *Listed = Variable && Variable->hasInitializer()
                     ? dyn_cast<ConstantStruct>(Variable->getInitializer())
                     : nullptr;
  std::string Made = std::string(PropertyList) + ":";
  const char *Separator = "";
  for (unsigned Index = 0; Listed && Index + 1 < Listed->getNumOperands(); Index += 2) {
    StringRef Name, Val;
    if (!getConstantStringInfo(Listed->getOperand(Index), Name))
      continue;
    Made += Separator + escaped(Name, "\\,=");
    // A property without a value may have a null pointer here.
    if (getConstantStringInfo(Listed->getOperand(Index + 1), Val) && !Val.empty())
      Made += "=" + escaped(Val, "\\,");
    Separator = ",";
  }
  return Made;
}

/// Nothing, if the text is not constant.
std::optional<std::string> textOf(const CallInst &Call) {
  StringRef Found;
  if (!getConstantStringInfo(Call.getArgOperand(TextArg), Found))
    return std::nullopt;
  return readText(Found == PropertyList ? withProperties(Call) : Found.str());
}

/// Variables with texts of annotations, each made once for an address space.
class TextVariables {
public:
  explicit TextVariables(Module &M) : M(M) {}

  Constant *get(const std::string &Content, Type *Ty) {
    GlobalVariable *&Variable = Variables[{Content, Ty}];
    if (!Variable) {
      Constant *Bytes = ConstantDataArray::getString(M.getContext(), Content);
      Variable = new GlobalVariable(M, Bytes->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, Bytes, "", nullptr,
                                    GlobalValue::NotThreadLocal, Ty->getPointerAddressSpace());
      Variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
      Variable->setSection("llvm.metadata");
    }
    return Variable;
  }

private:
  Module &M;
  std::map<std::pair<std::string, Type *>, GlobalVariable *> Variables;
};

/// The variables with what a call says, each once.
SmallSetVector<GlobalVariable *, 4> variablesOf(const CallInst &Call) {
  SmallSetVector<GlobalVariable *, 4> Variables;
  for (unsigned ArgNo : {TextArg, FileArg, PropertiesArg})
    if (auto *Variable = dyn_cast<GlobalVariable>(Call.getArgOperand(ArgNo)->stripPointerCasts()))
      Variables.insert(Variable);
  return Variables;
}

/// Removes those of some variables that nothing uses any more, and what only they refer to.
void removeUnused(ArrayRef<GlobalVariable *> Variables) {
  // One may go because another has.
  std::vector<WeakVH> Worklist(Variables.begin(), Variables.end());
  while (!Worklist.empty()) {
    auto *Variable = dyn_cast_or_null<GlobalVariable>(static_cast<Value *>(Worklist.back()));
    Worklist.pop_back();
    if (!Variable || !Variable->hasLocalLinkage())
      continue;
    Variable->removeDeadConstantUsers();
    if (!Variable->use_empty())
      continue;
    if (Variable->hasInitializer())
      for (Value *Op : Variable->getInitializer()->operands())
        if (auto *Other = dyn_cast<GlobalVariable>(Op->stripPointerCasts()))
          Worklist.emplace_back(Other);
    Variable->eraseFromParent();
  }
}

void replaceText(CallInst &Call, const std::optional<std::string> &Wanted,
                 TextVariables &Variables) {
  SmallSetVector<GlobalVariable *, 4> Before = variablesOf(Call);
  if (Wanted) {
    Call.setArgOperand(TextArg, Variables.get(*Wanted, Call.getArgOperand(TextArg)->getType()));
    // What it referred to is in the text.
    Call.setArgOperand(PropertiesArg,
                       Constant::getNullValue(Call.getArgOperand(PropertiesArg)->getType()));
  } else {
    Call.replaceAllUsesWith(Call.getArgOperand(PointerArg));
    Call.eraseFromParent();
  }
  removeUnused(Before.getArrayRef());
}

ExecutionMode readMode(const MDNode &Node) {
  Function *F = Node.getNumOperands() < 2
                    ? nullptr
                    : mdconst::dyn_extract_or_null<Function>(Node.getOperand(0));
  if (!F)
    throw IRError(std::string("!") + ExecutionModeList + " does not name a function and a mode");
  SmallVector<Metadata *> Operands;
  for (unsigned Index = 1; Index < Node.getNumOperands(); ++Index)
    Operands.push_back(Node.getOperand(Index));
  return {readText(F->getName()), readMetadata(*MDNode::get(Node.getContext(), Operands))};
}

} // namespace

std::map<std::string, MetadataNode> globalVariableMetadata(ModuleHandle &Handle,
                                                           const std::string &Kind) {
  return Handle.use("reading metadata", [&](const Module &M) {
    std::map<std::string, MetadataNode> Nodes;
    for (const GlobalVariable &Variable : M.globals())
      if (const MDNode *Node = Variable.getMetadata(Kind))
        Nodes.emplace(Variable.getName().str(), readMetadata(*Node));
    return Nodes;
  });
}

void setGlobalVariableMetadata(ModuleHandle &Handle, const std::string &Kind,
                               const std::map<std::string, std::optional<MetadataNode>> &Nodes) {
  Handle.use("writing metadata", [&](Module &M) {
    std::vector<std::pair<GlobalVariable *, MDNode *>> Plan;
    for (const auto &[Name, Node] : Nodes)
      Plan.emplace_back(&findGlobalVariable(M, Name),
                        Node ? buildMetadata(M.getContext(), *Node) : nullptr);
    for (auto [Variable, Node] : Plan)
      Variable->setMetadata(Kind, Node);
  });
}

std::vector<ExecutionMode> executionModes(ModuleHandle &Handle) {
  return Handle.use("reading execution modes", [&](const Module &M) {
    std::vector<ExecutionMode> Modes;
    if (const NamedMDNode *List = M.getNamedMetadata(ExecutionModeList))
      for (const MDNode *Node : List->operands())
        Modes.push_back(readMode(*Node));
    return Modes;
  });
}

void setExecutionModes(ModuleHandle &Handle, const std::vector<ExecutionMode> &Modes) {
  Handle.use("writing execution modes", [&](Module &M) {
    std::vector<MDNode *> Built;
    for (const auto &[Name, Operands] : Modes) {
      SmallVector<Metadata *> All{ConstantAsMetadata::get(&findFunction(M, Name))};
      for (const MDOperand &Op : buildMetadata(M.getContext(), Operands)->operands())
        All.push_back(Op.get());
      Built.push_back(MDNode::get(M.getContext(), All));
    }
    if (NamedMDNode *List = M.getNamedMetadata(ExecutionModeList))
      List->eraseFromParent();
    if (Built.empty())
      return;
    NamedMDNode *List = M.getOrInsertNamedMetadata(ExecutionModeList);
    for (MDNode *Node : Built)
      List->addOperand(Node);
  });
}

std::vector<std::string> pointerAnnotations(ModuleHandle &Handle) {
  return Handle.use("reading annotations", [](const Module &M) {
    std::vector<std::string> Found;
    std::map<std::string, bool> Seen;
    // Nothing is changed; LLVM's lists of users have no view for readers.
    for (CallInst *Call : annotationCalls(const_cast<Module &>(M)))
      if (std::optional<std::string> Content = textOf(*Call);
          Content && Seen.emplace(*Content, true).second)
        Found.push_back(*Content);
    return Found;
  });
}

void setPointerAnnotations(ModuleHandle &Handle,
                           const std::map<std::string, std::optional<std::string>> &Texts) {
  Handle.use("writing annotations", [&](Module &M) {
    TextVariables Variables(M);
    for (CallInst *Call : annotationCalls(M)) {
      std::optional<std::string> Content = textOf(*Call);
      if (auto Wanted = Content ? Texts.find(*Content) : Texts.end(); Wanted != Texts.end())
        replaceText(*Call, Wanted->second, Variables);
    }
  });
}

} // namespace dovetail
