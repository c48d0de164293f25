#include "properties.h"

#include "module.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
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

/// Returns the text with a backslash before each special character.
std::string escaped(StringRef Text, StringRef Special) {
  std::string Result;
  for (char Character : Text) {
    if (Special.contains(Character))
      Result += '\\';
    Result += Character;
  }
  return Result;
}

/// Returns an annotation text that includes the properties. DPC++ passes them as an array of
/// alternating names and values in the last operand; the design of properties has them in the text.
std::string withProperties(const CallInst &Call) {
  auto *Variable = dyn_cast<GlobalVariable>(Call.getArgOperand(PropertiesArg)->stripPointerCasts());
  auto *Listed = Variable && Variable->hasInitializer()
                     ? dyn_cast<ConstantStruct>(Variable->getInitializer())
                     : nullptr;
  std::string Result = std::string(PropertyList) + ":";
  const char *Separator = "";
  for (unsigned Index = 0; Listed && Index + 1 < Listed->getNumOperands(); Index += 2) {
    StringRef Name, Val;
    if (!getConstantStringInfo(Listed->getOperand(Index), Name))
      continue;
    Result += Separator + escaped(Name, "\\,=");
    // A property without a value may have a null pointer here.
    if (getConstantStringInfo(Listed->getOperand(Index + 1), Val) && !Val.empty())
      Result += "=" + escaped(Val, "\\,");
    Separator = ",";
  }
  return Result;
}

/// Returns the text of a call, or nullopt if it is not constant.
Expected<std::optional<std::string>> textOf(const CallInst &Call) {
  StringRef Found;
  if (!getConstantStringInfo(Call.getArgOperand(TextArg), Found))
    return std::nullopt;
  return readText(Found == PropertyList ? withProperties(Call) : Found.str());
}

/// Variables with annotation texts, each created once per pointer type.
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

/// Returns the variables with the arguments of a call, each once.
SmallSetVector<GlobalVariable *, 4> variablesOf(const CallInst &Call) {
  SmallSetVector<GlobalVariable *, 4> Variables;
  for (unsigned ArgNo : {TextArg, FileArg, PropertiesArg})
    if (auto *Variable = dyn_cast<GlobalVariable>(Call.getArgOperand(ArgNo)->stripPointerCasts()))
      Variables.insert(Variable);
  return Variables;
}

/// Removes the variables that have become unused, and the variables to which only they refer.
void removeUnused(ArrayRef<GlobalVariable *> Variables) {
  // Removing one can make another unused.
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
    // The text contains the properties.
    Call.setArgOperand(PropertiesArg,
                       Constant::getNullValue(Call.getArgOperand(PropertiesArg)->getType()));
  } else {
    Call.replaceAllUsesWith(Call.getArgOperand(PointerArg));
    Call.eraseFromParent();
  }
  removeUnused(Before.getArrayRef());
}

Expected<ExecutionMode> readMode(const MDNode &Node) {
  Function *F = Node.getNumOperands() < 2
                    ? nullptr
                    : mdconst::dyn_extract_or_null<Function>(Node.getOperand(0));
  if (!F)
    return createStringError(Twine("!") + ExecutionModeList +
                             " does not name a function and a mode");
  Expected<std::string> Name = readText(F->getName());
  if (!Name)
    return Name.takeError();
  SmallVector<Metadata *> Operands(drop_begin(Node.operands()));
  Expected<MetadataNode> Mode = readMetadata(*MDNode::get(Node.getContext(), Operands));
  if (!Mode)
    return Mode.takeError();
  return ExecutionMode(std::move(*Name), std::move(*Mode));
}

Expected<MDNode *> buildMode(Module &M, const ExecutionMode &Mode) {
  const auto &[Name, Operands] = Mode;
  Expected<Function &> F = findFunction(M, Name);
  if (!F)
    return F.takeError();
  Expected<MDNode *> Node = buildMetadata(M.getContext(), Operands);
  if (!Node)
    return Node.takeError();
  SmallVector<Metadata *> All{ConstantAsMetadata::get(&*F)};
  append_range(All, (*Node)->operands());
  return MDNode::get(M.getContext(), All);
}

} // namespace

std::map<std::string, MetadataNode> globalVariableMetadata(ModuleHandle &Handle,
                                                           const std::string &Kind) {
  using NodeMap = std::map<std::string, MetadataNode>;
  return Handle.use("reading metadata", [&](const Module &M) -> Expected<NodeMap> {
    NodeMap Nodes;
    for (const GlobalVariable &Variable : M.globals()) {
      const MDNode *Node = Variable.getMetadata(Kind);
      if (!Node)
        continue;
      Expected<MetadataNode> Operands = readMetadata(*Node);
      if (!Operands)
        return Operands.takeError();
      Nodes.emplace(Variable.getName().str(), std::move(*Operands));
    }
    return Nodes;
  });
}

void setGlobalVariableMetadata(ModuleHandle &Handle, const std::string &Kind,
                               const std::map<std::string, std::optional<MetadataNode>> &Nodes) {
  Handle.use("writing metadata", [&](Module &M) -> Error {
    std::vector<std::pair<GlobalVariable *, MDNode *>> Plan;
    for (const auto &[Name, Operands] : Nodes) {
      Expected<GlobalVariable &> Variable = findGlobalVariable(M, Name);
      if (!Variable)
        return Variable.takeError();
      Expected<MDNode *> Node = Operands ? buildMetadata(M.getContext(), *Operands) : nullptr;
      if (!Node)
        return Node.takeError();
      Plan.emplace_back(&*Variable, *Node);
    }
    for (auto [Variable, Node] : Plan)
      Variable->setMetadata(Kind, Node);
    return Error::success();
  });
}

std::vector<ExecutionMode> executionModes(ModuleHandle &Handle) {
  using ModeVector = std::vector<ExecutionMode>;
  return Handle.use("reading execution modes", [&](const Module &M) -> Expected<ModeVector> {
    ModeVector Modes;
    const NamedMDNode *List = M.getNamedMetadata(ExecutionModeList);
    if (!List)
      return Modes;
    for (const MDNode *Node : List->operands()) {
      Expected<ExecutionMode> Mode = readMode(*Node);
      if (!Mode)
        return Mode.takeError();
      Modes.push_back(std::move(*Mode));
    }
    return Modes;
  });
}

void setExecutionModes(ModuleHandle &Handle, const std::vector<ExecutionMode> &Modes) {
  Handle.use("writing execution modes", [&](Module &M) -> Error {
    std::vector<MDNode *> Built;
    for (const ExecutionMode &Mode : Modes) {
      Expected<MDNode *> Node = buildMode(M, Mode);
      if (!Node)
        return Node.takeError();
      Built.push_back(*Node);
    }
    if (NamedMDNode *List = M.getNamedMetadata(ExecutionModeList))
      List->eraseFromParent();
    if (Built.empty())
      return Error::success();
    NamedMDNode *List = M.getOrInsertNamedMetadata(ExecutionModeList);
    for (MDNode *Node : Built)
      List->addOperand(Node);
    return Error::success();
  });
}

std::vector<std::string> pointerAnnotations(ModuleHandle &Handle) {
  using TextVector = std::vector<std::string>;
  return Handle.look("reading annotations", [](Module &M) -> Expected<TextVector> {
    TextVector Found;
    StringSet<> Visited;
    for (CallInst *Call : annotationCalls(M)) {
      Expected<std::optional<std::string>> Text = textOf(*Call);
      if (!Text)
        return Text.takeError();
      if (*Text && Visited.insert(**Text).second)
        Found.push_back(**Text);
    }
    return Found;
  });
}

void setPointerAnnotations(ModuleHandle &Handle,
                           const std::map<std::string, std::optional<std::string>> &Texts) {
  Handle.use("writing annotations", [&](Module &M) -> Error {
    TextVariables Variables(M);
    for (CallInst *Call : annotationCalls(M)) {
      Expected<std::optional<std::string>> Text = textOf(*Call);
      if (!Text)
        return Text.takeError();
      if (auto Wanted = *Text ? Texts.find(**Text) : Texts.end(); Wanted != Texts.end())
        replaceText(*Call, Wanted->second, Variables);
    }
    return Error::success();
  });
}

} // namespace dovetail
