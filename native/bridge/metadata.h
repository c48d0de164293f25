// Metadata as plain values: what Python reads and writes without holding on to LLVM's nodes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace llvm {
class LLVMContext;
class MDNode;
} // namespace llvm

namespace dovetail {

class ModuleHandle;

struct MetadataInteger {
  int64_t Value;
  unsigned Bits = 32;

  bool operator==(const MetadataInteger &Other) const {
    return Value == Other.Value && Bits == Other.Bits;
  }
};

struct MetadataOperand;
using MetadataNode = std::vector<MetadataOperand>;

/// monostate stands for LLVM's `null` operand.
struct MetadataOperand {
  std::variant<std::monostate, MetadataInteger, std::string, MetadataNode> Value;
};

/// For who is inside LLVM already.
MetadataNode readMetadata(const llvm::MDNode &Node);
llvm::MDNode *buildMetadata(llvm::LLVMContext &Context, const MetadataNode &Node);

/// The nodes attached to functions under `kind`; functions without one are left out.
std::map<std::string, MetadataNode> functionMetadata(ModuleHandle &Handle, const std::string &Kind);
/// nullopt removes the node.
/// Puts each node on all functions that are named with it.
void markFunctions(ModuleHandle &Handle, const std::string &Kind,
                   const std::vector<std::pair<MetadataNode, std::vector<std::string>>> &Groups);

void setFunctionMetadata(ModuleHandle &Handle, const std::string &Kind,
                         const std::map<std::string, std::optional<MetadataNode>> &Nodes);

/// The named lists of the module, in its order.
std::vector<std::string> namedMetadataNames(ModuleHandle &Handle);
/// The nodes of a named list of the module; empty if there is no such list.
std::vector<MetadataNode> namedMetadata(ModuleHandle &Handle, const std::string &Name);
/// An empty list removes the name.
void setNamedMetadata(ModuleHandle &Handle, const std::string &Name,
                      const std::vector<MetadataNode> &Nodes);

} // namespace dovetail
