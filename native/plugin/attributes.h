// Which attributes are ours, and reading them off declarations. The AST has them as annotations;
// rewriter.h says how they came to be that.
#pragma once

#include "clang/AST/Attr.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class Sema;
}

namespace dovetail {

/// The annotation's text is this and the attribute's name.
inline constexpr llvm::StringRef annotationPrefix = "dovetail.";

/// An argument that the rewriter puts where clang wants one and the source has none.
inline constexpr llvm::StringRef noArgument = "dovetail-none";

/// Whether some attributes in this scope are ours. Names here have no underscores around them.
bool isAttributeScope(llvm::StringRef scope);
bool isAttribute(llvm::StringRef scope, llvm::StringRef name);

/// Whether an attribute's arguments are aspects, which may stand in `has(...)`.
bool takesAspects(llvm::StringRef name);

/// The annotations for an attribute ("device_has", without prefix) that a declaration carries.
std::vector<const clang::AnnotateAttr *> annotations(const clang::Decl &declaration,
                                                     llvm::StringRef attribute);

/// One of our attributes where it stands in the source.
struct AttributeUse {
  llvm::StringRef name; // without scope and underscores
  clang::SourceLocation place;
  llvm::SmallVector<const clang::Expr *, 3> arguments;
};
using AttributeUses = llvm::SmallVector<AttributeUse, 2>;

/// One of ours, or nothing.
std::optional<AttributeUse> asOurs(const clang::Attr &attribute);

/// Those that a declaration carries itself or has inherited.
AttributeUses attributesOf(const clang::Decl &declaration);

/// Those behind a function's parameters, which belong to its type, as this declaration has them.
AttributeUses typeAttributes(const clang::FunctionDecl &function, clang::Sema &sema);

/// Those that any declaration of a function carries, also behind its parameters.
AttributeUses functionAttributes(const clang::FunctionDecl &function, clang::Sema &sema);

/// Name and value pairs of an add_ir_attributes_* attribute: all names come first, then all values.
using Properties = std::vector<std::pair<std::string, std::string>>;
Properties properties(const clang::AnnotateAttr &attribute, const clang::ASTContext &context);

/// All that add_ir_attributes_function gives a function.
Properties functionProperties(const clang::FunctionDecl &function,
                              const clang::ASTContext &context);

} // namespace dovetail
