#include "metadata.h"

#include "module.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/MathExtras.h"

namespace dovetail {

using namespace llvm;

namespace {

// Metadata can be cyclic, and shared nodes would be copied many times. The toolchain writes
// metadata of at most a few levels with few operands.
constexpr unsigned MaxDepth = 32;
constexpr unsigned MaxOperands = 1 << 16;

/// Converts LLVM's nodes to values, up to a number of operands.
class NodeReader {
public:
  Expected<MetadataNode> readNode(const MDNode &Node, unsigned Depth = 0) {
    if (Depth > MaxDepth)
      return createStringError("metadata is nested too deeply");
    MetadataNode Operands;
    for (const MDOperand &Op : Node.operands()) {
      Expected<MetadataOperand> Operand = readOperand(Op.get(), Depth + 1);
      if (!Operand)
        return Operand.takeError();
      Operands.push_back(std::move(*Operand));
    }
    return Operands;
  }

private:
  Expected<MetadataOperand> readOperand(const Metadata *Op, unsigned Depth) {
    if (!Budget--)
      return createStringError("a metadata node has too many operands");
    if (!Op)
      return MetadataOperand();
    if (auto *String = dyn_cast<MDString>(Op)) {
      Expected<std::string> Text = readText(String->getString());
      if (!Text)
        return Text.takeError();
      return MetadataOperand{std::move(*Text)};
    }
    if (auto *Node = dyn_cast<MDNode>(Op)) {
      Expected<MetadataNode> Operands = readNode(*Node, Depth);
      if (!Operands)
        return Operands.takeError();
      return MetadataOperand{std::move(*Operands)};
    }
    auto *CI = mdconst::dyn_extract<ConstantInt>(const_cast<Metadata *>(Op));
    if (!CI || CI->getBitWidth() > 64)
      return createStringError("metadata holds something other than integers, strings and nodes");
    return MetadataOperand{MetadataInteger{CI->getSExtValue(), CI->getBitWidth()}};
  }

  unsigned Budget = MaxOperands;
};

/// Converts values to LLVM's nodes.
class NodeBuilder {
public:
  explicit NodeBuilder(LLVMContext &Context) : Context(Context) {}

  Expected<MDNode *> build(const MetadataNode &Node) const {
    SmallVector<Metadata *> Operands;
    for (const MetadataOperand &Op : Node) {
      Expected<Metadata *> Operand = std::visit(*this, Op.Value);
      if (!Operand)
        return Operand.takeError();
      Operands.push_back(*Operand);
    }
    return MDNode::get(Context, Operands);
  }

  Expected<Metadata *> operator()(std::monostate) const { return nullptr; }
  Expected<Metadata *> operator()(const std::string &Text) const {
    return MDString::get(Context, Text);
  }
  Expected<Metadata *> operator()(const MetadataNode &Node) const { return build(Node); }
  Expected<Metadata *> operator()(const MetadataInteger &Integer) const {
    auto [Val, Bits] = Integer;
    // Signed and unsigned values are accepted: i32 -1 and i32 4294967295 are the same constant.
    bool Fits = isIntN(Bits, Val) || isUIntN(Bits, static_cast<uint64_t>(Val));
    if (!Fits)
      return createStringError("metadata integer " + Twine(Val) + " does not fit i" + Twine(Bits));
    APInt Number(Bits, static_cast<uint64_t>(Val), /*isSigned=*/true, /*implicitTrunc=*/true);
    return ConstantAsMetadata::get(ConstantInt::get(Context, Number));
  }

private:
  LLVMContext &Context;
};

} // namespace

Expected<MetadataNode> readMetadata(const MDNode &Node) { return NodeReader().readNode(Node); }

Expected<MDNode *> buildMetadata(LLVMContext &Context, const MetadataNode &Node) {
  return NodeBuilder(Context).build(Node);
}

std::map<std::string, MetadataNode> functionMetadata(ModuleHandle &Handle,
                                                     const std::string &Kind) {
  using NodeMap = std::map<std::string, MetadataNode>;
  return Handle.use("reading metadata", [&](const Module &M) -> Expected<NodeMap> {
    NodeMap Nodes;
    for (const Function &F : M) {
      const MDNode *Node = F.getMetadata(Kind);
      if (!Node)
        continue;
      Expected<MetadataNode> Operands = readMetadata(*Node);
      if (!Operands)
        return Operands.takeError();
      Nodes.emplace(F.getName().str(), std::move(*Operands));
    }
    return Nodes;
  });
}

void setFunctionMetadata(ModuleHandle &Handle, const std::string &Kind,
                         const std::map<std::string, std::optional<MetadataNode>> &Nodes) {
  Handle.use("writing metadata", [&](Module &M) -> Error {
    std::vector<std::pair<Function *, MDNode *>> Plan;
    for (const auto &[Name, Operands] : Nodes) {
      Expected<Function &> F = findFunction(M, Name);
      if (!F)
        return F.takeError();
      Expected<MDNode *> Node = Operands ? buildMetadata(M.getContext(), *Operands) : nullptr;
      if (!Node)
        return Node.takeError();
      Plan.emplace_back(&*F, *Node);
    }
    for (auto [F, Node] : Plan)
      F->setMetadata(Kind, Node);
    return Error::success();
  });
}

void markFunctions(ModuleHandle &Handle, const std::string &Kind,
                   const std::vector<std::pair<MetadataNode, std::vector<std::string>>> &Groups) {
  Handle.use("writing metadata", [&](Module &M) -> Error {
    std::vector<std::pair<Function *, MDNode *>> Plan;
    for (const auto &[Operands, Names] : Groups) {
      Expected<MDNode *> Node = buildMetadata(M.getContext(), Operands);
      if (!Node)
        return Node.takeError();
      for (const std::string &Name : Names) {
        Expected<Function &> F = findFunction(M, Name);
        if (!F)
          return F.takeError();
        Plan.emplace_back(&*F, *Node);
      }
    }
    unsigned KindID = M.getContext().getMDKindID(Kind);
    for (auto [F, Node] : Plan)
      F->setMetadata(KindID, Node);
    return Error::success();
  });
}

std::vector<std::string> namedMetadataNames(ModuleHandle &Handle) {
  using NameVector = std::vector<std::string>;
  return Handle.use("listing named metadata", [](const Module &M) -> Expected<NameVector> {
    NameVector Names;
    for (const NamedMDNode &List : M.named_metadata()) {
      Expected<std::string> Name = readText(List.getName());
      if (!Name)
        return Name.takeError();
      Names.push_back(std::move(*Name));
    }
    return Names;
  });
}

std::vector<MetadataNode> namedMetadata(ModuleHandle &Handle, const std::string &Name) {
  using NodeVector = std::vector<MetadataNode>;
  return Handle.use("reading named metadata", [&](const Module &M) -> Expected<NodeVector> {
    NodeVector Nodes;
    const NamedMDNode *List = M.getNamedMetadata(Name);
    if (!List)
      return Nodes;
    for (const MDNode *Node : List->operands()) {
      Expected<MetadataNode> Operands = readMetadata(*Node);
      if (!Operands)
        return Operands.takeError();
      Nodes.push_back(std::move(*Operands));
    }
    return Nodes;
  });
}

void setNamedMetadata(ModuleHandle &Handle, const std::string &Name,
                      const std::vector<MetadataNode> &Nodes) {
  Handle.use("writing named metadata", [&](Module &M) -> Error {
    std::vector<MDNode *> Built;
    for (const MetadataNode &Operands : Nodes) {
      Expected<MDNode *> Node = buildMetadata(M.getContext(), Operands);
      if (!Node)
        return Node.takeError();
      Built.push_back(*Node);
    }
    if (NamedMDNode *List = M.getNamedMetadata(Name))
      List->eraseFromParent();
    if (Built.empty())
      return Error::success();
    NamedMDNode *List = M.getOrInsertNamedMetadata(Name);
    for (MDNode *Node : Built)
      List->addOperand(Node);
    return Error::success();
  });
}

} // namespace dovetail
