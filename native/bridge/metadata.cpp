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
constexpr unsigned maxDepth = 32;
constexpr unsigned maxOperands = 1 << 16;

MetadataNode readNode(const MDNode &node, unsigned depth, unsigned &budget);

MetadataNode readNode(const MDNode &node) {
  unsigned budget = maxOperands;
  return readNode(node, 0, budget);
}

MetadataOperand readOperand(const Metadata *operand, unsigned depth, unsigned &budget) {
  if (!budget--)
    throw IRError("a metadata node has too many operands");
  if (!operand)
    return {};
  if (auto *text = dyn_cast<MDString>(operand))
    return {readText(text->getString())};
  if (auto *node = dyn_cast<MDNode>(operand))
    return {readNode(*node, depth, budget)};
  auto *integer = mdconst::dyn_extract<ConstantInt>(const_cast<Metadata *>(operand));
  if (!integer || integer->getBitWidth() > 64)
    throw IRError("metadata holds something other than integers, strings and nodes");
  return {MetadataInteger{integer->getSExtValue(), integer->getBitWidth()}};
}

MetadataNode readNode(const MDNode &node, unsigned depth, unsigned &budget) {
  if (depth > maxDepth)
    throw IRError("metadata is nested too deeply");
  MetadataNode operands;
  for (const MDOperand &operand : node.operands())
    operands.push_back(readOperand(operand.get(), depth + 1, budget));
  return operands;
}

/// Builds nodes from values.
class NodeBuilder {
public:
  explicit NodeBuilder(LLVMContext &context) : context(context) {}

  MDNode *build(const MetadataNode &node) const {
    SmallVector<Metadata *> operands;
    for (const MetadataOperand &operand : node)
      operands.push_back(std::visit(*this, operand.value));
    return MDNode::get(context, operands);
  }

  Metadata *operator()(std::monostate) const { return nullptr; }
  Metadata *operator()(const std::string &text) const { return MDString::get(context, text); }
  Metadata *operator()(const MetadataNode &node) const { return build(node); }
  Metadata *operator()(const MetadataInteger &integer) const {
    auto [value, bits] = integer;
    // Both readings of the bits are welcome: i32 -1 and i32 4294967295 are the same constant.
    bool fits = isIntN(bits, value) || isUIntN(bits, static_cast<uint64_t>(value));
    if (!fits)
      throw IRError("metadata integer " + std::to_string(value) + " does not fit i" +
                    std::to_string(bits));
    APInt constant(bits, static_cast<uint64_t>(value), /*isSigned=*/true, /*implicitTrunc=*/true);
    return ConstantAsMetadata::get(ConstantInt::get(context, constant));
  }

private:
  LLVMContext &context;
};

} // namespace

MetadataNode readMetadata(const MDNode &node) { return readNode(node); }

MDNode *buildMetadata(LLVMContext &context, const MetadataNode &node) {
  return NodeBuilder(context).build(node);
}

std::map<std::string, MetadataNode> functionMetadata(ModuleHandle &module,
                                                     const std::string &kind) {
  return module.use("reading metadata", [&](const llvm::Module &ir) {
    std::map<std::string, MetadataNode> nodes;
    for (const Function &function : ir)
      if (const MDNode *node = function.getMetadata(kind))
        nodes.emplace(function.getName().str(), readNode(*node));
    return nodes;
  });
}

void setFunctionMetadata(ModuleHandle &module, const std::string &kind,
                         const std::map<std::string, std::optional<MetadataNode>> &nodes) {
  module.use("writing metadata", [&](llvm::Module &ir) {
    NodeBuilder builder(ir.getContext());
    std::vector<std::pair<Function *, MDNode *>> plan;
    for (const auto &[name, node] : nodes)
      plan.emplace_back(&findFunction(ir, name), node ? builder.build(*node) : nullptr);
    for (auto [function, node] : plan)
      function->setMetadata(kind, node);
  });
}

std::vector<std::string> namedMetadataNames(ModuleHandle &module) {
  return module.use("listing named metadata", [](const llvm::Module &ir) {
    std::vector<std::string> names;
    for (const NamedMDNode &list : ir.named_metadata())
      names.push_back(readText(list.getName()));
    return names;
  });
}

void markFunctions(ModuleHandle &module, const std::string &kind,
                   const std::vector<std::pair<MetadataNode, std::vector<std::string>>> &groups) {
  module.use("writing metadata", [&](llvm::Module &ir) {
    NodeBuilder builder(ir.getContext());
    std::vector<std::pair<Function *, MDNode *>> plan;
    for (const auto &[node, names] : groups) {
      MDNode *built = builder.build(node);
      for (const std::string &name : names)
        plan.emplace_back(&findFunction(ir, name), built);
    }
    unsigned number = ir.getContext().getMDKindID(kind);
    for (auto [function, node] : plan)
      function->setMetadata(number, node);
  });
}

std::vector<MetadataNode> namedMetadata(ModuleHandle &module, const std::string &name) {
  return module.use("reading named metadata", [&](const llvm::Module &ir) {
    std::vector<MetadataNode> nodes;
    if (const NamedMDNode *list = ir.getNamedMetadata(name))
      for (const MDNode *node : list->operands())
        nodes.push_back(readNode(*node));
    return nodes;
  });
}

void setNamedMetadata(ModuleHandle &module, const std::string &name,
                      const std::vector<MetadataNode> &nodes) {
  module.use("writing named metadata", [&](llvm::Module &ir) {
    NodeBuilder builder(ir.getContext());
    std::vector<MDNode *> built;
    for (const MetadataNode &node : nodes)
      built.push_back(builder.build(node));
    if (NamedMDNode *list = ir.getNamedMetadata(name))
      list->eraseFromParent();
    if (built.empty())
      return;
    NamedMDNode *list = ir.getOrInsertNamedMetadata(name);
    for (MDNode *node : built)
      list->addOperand(node);
  });
}

} // namespace dovetail
