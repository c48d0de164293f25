#include "metadata.h"

#include "errors.h"
#include "module.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/MathExtras.h"

namespace dovetail {

using namespace llvm;

namespace {

// Metadata can be cyclic, and nodes that others share would be there many times; what the toolchain
// writes is at most a few levels deep and has few operands.
constexpr unsigned MaxDepth = 32;
constexpr unsigned MaxOperands = 1 << 16;

MetadataNode readNode(const MDNode &Node, unsigned Depth, unsigned &Budget);

MetadataNode readNode(const MDNode &Node) {
  unsigned Budget = MaxOperands;
  return readNode(Node, 0, Budget);
}

MetadataOperand readOperand(const Metadata *Op, unsigned Depth, unsigned &Budget) {
  if (!Budget--)
    throw IRError("a metadata node has too many operands");
  if (!Op)
    return {};
  if (auto *Text = dyn_cast<MDString>(Op))
    return {readText(Text->getString())};
  if (auto *Node = dyn_cast<MDNode>(Op))
    return {readNode(*Node, Depth, Budget)};
  auto *CI = mdconst::dyn_extract<ConstantInt>(const_cast<Metadata *>(Op));
  if (!CI || CI->getBitWidth() > 64)
    throw IRError("metadata holds something other than integers, strings and nodes");
  return {MetadataInteger{CI->getSExtValue(), CI->getBitWidth()}};
}

MetadataNode readNode(const MDNode &Node, unsigned Depth, unsigned &Budget) {
  if (Depth > MaxDepth)
    throw IRError("metadata is nested too deeply");
  MetadataNode Operands;
  for (const MDOperand &Op : Node.operands())
    Operands.push_back(readOperand(Op.get(), Depth + 1, Budget));
  return Operands;
}

/// Builds nodes from values.
class NodeBuilder {
public:
  explicit NodeBuilder(LLVMContext &Context) : Context(Context) {}

  MDNode *build(const MetadataNode &Node) const {
    SmallVector<Metadata *> Operands;
    for (const MetadataOperand &Op : Node)
      Operands.push_back(std::visit(*this, Op.Value));
    return MDNode::get(Context, Operands);
  }

  Metadata *operator()(std::monostate) const { return nullptr; }
  Metadata *operator()(const std::string &Text) const { return MDString::get(Context, Text); }
  Metadata *operator()(const MetadataNode &Node) const { return build(Node); }
  Metadata *operator()(const MetadataInteger &Integer) const {
    auto [Val, Bits] = Integer;
    // Both readings of the bits are welcome: i32 -1 and i32 4294967295 are the same constant.
    bool Fits = isIntN(Bits, Val) || isUIntN(Bits, static_cast<uint64_t>(Val));
    if (!Fits)
      throw IRError("metadata integer " + std::to_string(Val) + " does not fit i" +
                    std::to_string(Bits));
    APInt Number(Bits, static_cast<uint64_t>(Val), /*isSigned=*/true, /*implicitTrunc=*/true);
    return ConstantAsMetadata::get(ConstantInt::get(Context, Number));
  }

private:
  LLVMContext &Context;
};

} // namespace

MetadataNode readMetadata(const MDNode &Node) { return readNode(Node); }

MDNode *buildMetadata(LLVMContext &Context, const MetadataNode &Node) {
  return NodeBuilder(Context).build(Node);
}

std::map<std::string, MetadataNode> functionMetadata(ModuleHandle &Handle,
                                                     const std::string &Kind) {
  return Handle.use("reading metadata", [&](const Module &M) {
    std::map<std::string, MetadataNode> Nodes;
    for (const Function &F : M)
      if (const MDNode *Node = F.getMetadata(Kind))
        Nodes.emplace(F.getName().str(), readNode(*Node));
    return Nodes;
  });
}

void setFunctionMetadata(ModuleHandle &Handle, const std::string &Kind,
                         const std::map<std::string, std::optional<MetadataNode>> &Nodes) {
  Handle.use("writing metadata", [&](Module &M) {
    NodeBuilder Builder(M.getContext());
    std::vector<std::pair<Function *, MDNode *>> Plan;
    for (const auto &[Name, Node] : Nodes)
      Plan.emplace_back(&findFunction(M, Name), Node ? Builder.build(*Node) : nullptr);
    for (auto [F, Node] : Plan)
      F->setMetadata(Kind, Node);
  });
}

std::vector<std::string> namedMetadataNames(ModuleHandle &Handle) {
  return Handle.use("listing named metadata", [](const Module &M) {
    std::vector<std::string> Names;
    for (const NamedMDNode &List : M.named_metadata())
      Names.push_back(readText(List.getName()));
    return Names;
  });
}

void markFunctions(ModuleHandle &Handle, const std::string &Kind,
                   const std::vector<std::pair<MetadataNode, std::vector<std::string>>> &Groups) {
  Handle.use("writing metadata", [&](Module &M) {
    NodeBuilder Builder(M.getContext());
    std::vector<std::pair<Function *, MDNode *>> Plan;
    for (const auto &[Node, Names] : Groups) {
      MDNode *Built = Builder.build(Node);
      for (const std::string &Name : Names)
        Plan.emplace_back(&findFunction(M, Name), Built);
    }
    unsigned KindID = M.getContext().getMDKindID(Kind);
    for (auto [F, Node] : Plan)
      F->setMetadata(KindID, Node);
  });
}

std::vector<MetadataNode> namedMetadata(ModuleHandle &Handle, const std::string &Name) {
  return Handle.use("reading named metadata", [&](const Module &M) {
    std::vector<MetadataNode> Nodes;
    if (const NamedMDNode *List = M.getNamedMetadata(Name))
      for (const MDNode *Node : List->operands())
        Nodes.push_back(readNode(*Node));
    return Nodes;
  });
}

void setNamedMetadata(ModuleHandle &Handle, const std::string &Name,
                      const std::vector<MetadataNode> &Nodes) {
  Handle.use("writing named metadata", [&](Module &M) {
    NodeBuilder Builder(M.getContext());
    std::vector<MDNode *> Built;
    for (const MetadataNode &Node : Nodes)
      Built.push_back(Builder.build(Node));
    if (NamedMDNode *List = M.getNamedMetadata(Name))
      List->eraseFromParent();
    if (Built.empty())
      return;
    NamedMDNode *List = M.getOrInsertNamedMetadata(Name);
    for (MDNode *Node : Built)
      List->addOperand(Node);
  });
}

} // namespace dovetail
