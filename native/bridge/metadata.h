// Metadata as plain values, which do not refer to LLVM's nodes.
#pragma once

#include "llvm/Support/Error.h"

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

/// monostate represents LLVM's `null` operand.
struct MetadataOperand {
  std::variant<std::monostate, MetadataInteger, std::string, MetadataNode> Value;
};

/// These convert nodes in guarded code.
llvm::Expected<MetadataNode> readMetadata(const llvm::MDNode &Node);
llvm::Expected<llvm::MDNode *> buildMetadata(llvm::LLVMContext &Context, const MetadataNode &Node);

/// Returns the nodes attached to functions as `Kind`, by function name.
std::map<std::string, MetadataNode> functionMetadata(ModuleHandle &Handle, const std::string &Kind);
/// Attaches each node to all functions that are listed with it.
void markFunctions(ModuleHandle &Handle, const std::string &Kind,
                   const std::vector<std::pair<MetadataNode, std::vector<std::string>>> &Groups);

/// nullopt removes the node.
void setFunctionMetadata(ModuleHandle &Handle, const std::string &Kind,
                         const std::map<std::string, std::optional<MetadataNode>> &Nodes);

/// Returns the names of the module's named metadata, in module order.
std::vector<std::string> namedMetadataNames(ModuleHandle &Handle);
/// Returns the nodes of named metadata, or nothing if there is none of that name.
std::vector<MetadataNode> namedMetadata(ModuleHandle &Handle, const std::string &Name);
/// An empty vector removes the named metadata.
void setNamedMetadata(ModuleHandle &Handle, const std::string &Name,
                      const std::vector<MetadataNode> &Nodes);

} // namespace dovetail
