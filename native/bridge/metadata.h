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
  int64_t value;
  unsigned bits = 32;

  bool operator==(const MetadataInteger &other) const {
    return value == other.value && bits == other.bits;
  }
};

struct MetadataOperand;
using MetadataNode = std::vector<MetadataOperand>;

/// monostate stands for LLVM's `null` operand.
struct MetadataOperand {
  std::variant<std::monostate, MetadataInteger, std::string, MetadataNode> value;
};

/// For who is inside LLVM already.
MetadataNode readMetadata(const llvm::MDNode &node);
llvm::MDNode *buildMetadata(llvm::LLVMContext &context, const MetadataNode &node);

/// The nodes attached to functions under `kind`; functions without one are left out.
std::map<std::string, MetadataNode> functionMetadata(ModuleHandle &module, const std::string &kind);
/// nullopt removes the node.
/// Puts each node on all functions that are named with it.
void markFunctions(ModuleHandle &module, const std::string &kind,
                   const std::vector<std::pair<MetadataNode, std::vector<std::string>>> &groups);

void setFunctionMetadata(ModuleHandle &module, const std::string &kind,
                         const std::map<std::string, std::optional<MetadataNode>> &nodes);

/// The named lists of the module, in its order.
std::vector<std::string> namedMetadataNames(ModuleHandle &module);
/// The nodes of a named list of the module; empty if there is no such list.
std::vector<MetadataNode> namedMetadata(ModuleHandle &module, const std::string &name);
/// An empty list removes the name.
void setNamedMetadata(ModuleHandle &module, const std::string &name,
                      const std::vector<MetadataNode> &nodes);

} // namespace dovetail
