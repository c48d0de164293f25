// Which attributes are ours, and reading them off declarations. The AST has them as annotations;
// rewriter.h says how they came to be that.
#pragma once

#include "clang/AST/Attr.h"
#include <string>
#include <utility>
#include <vector>

namespace dovetail {

/// The annotation's text is this and the attribute's name.
inline constexpr llvm::StringRef annotationPrefix = "dovetail.";

/// Whether some attributes in this scope are ours. Names here have no underscores around them.
bool isAttributeScope(llvm::StringRef scope);
bool isAttribute(llvm::StringRef scope, llvm::StringRef name);

/// The annotations for an attribute ("device_has", without prefix) that a declaration carries.
std::vector<const clang::AnnotateAttr *> annotations(const clang::Decl &declaration,
                                                     llvm::StringRef attribute);

/// One of our attributes where it stands in the source.
struct AttributeUse {
  llvm::StringRef name;
  clang::SourceLocation place;
  llvm::ArrayRef<clang::Expr *> arguments;
};
using AttributeUses = llvm::SmallVector<AttributeUse, 2>;

/// Those that a declaration carries itself.
AttributeUses attributesOf(const clang::Decl &declaration);

/// Those that any declaration of a function carries, also behind its parameters.
AttributeUses functionAttributes(const clang::FunctionDecl &function);

/// Name and value pairs of an add_ir_attributes_* attribute: all names come first, then all values.
using Properties = std::vector<std::pair<std::string, std::string>>;
Properties properties(const clang::AnnotateAttr &attribute, const clang::ASTContext &context);

} // namespace dovetail
