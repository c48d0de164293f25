// Which attributes are ours, and reading them off declarations. The AST has them as annotations;
// rewriter.h says how they came to be that.
#pragma once

#include "clang/AST/Attr.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class Sema;
}

namespace dovetail {

/// The annotation's text is this and the attribute's name.
inline constexpr llvm::StringRef annotationPrefix = "dovetail.";

/// An argument that the rewriter puts where clang wants one and the source has none.
inline constexpr llvm::StringRef noArgument = "dovetail-none";

/// What it puts in the place of the braces around the names that a list of properties keeps.
inline constexpr llvm::StringRef filterBegin = "dovetail-filter";
inline constexpr llvm::StringRef filterEnd = "dovetail-filter-end";

/// The attributes that are lists of properties (properties.h), by what the properties are of.
inline constexpr llvm::StringRef ofFunction = "add_ir_attributes_function";
inline constexpr llvm::StringRef ofVariable = "add_ir_attributes_global_variable";
inline constexpr llvm::StringRef ofParameter = "add_ir_attributes_kernel_parameter";
inline constexpr llvm::StringRef ofMember = "add_ir_annotations_member";

/// Whether some attributes in this scope are ours. Names here have no underscores around them.
bool isAttributeScope(llvm::StringRef scope);
bool isAttribute(llvm::StringRef scope, llvm::StringRef name);

/// Today's name of an attribute that had another one in the first design; else the name itself.
llvm::StringRef todaysName(llvm::StringRef name);

bool takesProperties(llvm::StringRef name);

/// Whether an attribute's arguments are aspects, which may stand in `has(...)`.
bool takesAspects(llvm::StringRef name);

/// The annotations for an attribute ("device_has", without prefix) that a declaration carries.
std::vector<const clang::AnnotateAttr *> annotations(const clang::Decl &declaration,
                                                     llvm::StringRef attribute);

/// One of our attributes where it stands in the source.
struct AttributeUse {
  llvm::StringRef name; // today's, without scope and underscores
  clang::SourceLocation place;
  llvm::SmallVector<const clang::Expr *, 3> arguments;
};
using AttributeUses = llvm::SmallVector<AttributeUse, 2>;

/// One of ours, or nothing.
std::optional<AttributeUse> asOurs(const clang::Attr &attribute);

/// Those that a declaration carries itself or has inherited.
AttributeUses attributesOf(const clang::Decl &declaration);

/// Those that any declaration of the same thing carries.
AttributeUses attributesOfAll(const clang::Decl &declaration);

/// Those behind a function's parameters, which belong to its type, as this declaration has them.
AttributeUses typeAttributes(const clang::FunctionDecl &function, clang::Sema &sema);

/// Those that any declaration of a function carries, also behind its parameters.
AttributeUses functionAttributes(const clang::FunctionDecl &function, clang::Sema &sema);

bool anyTakesProperties(const AttributeUses &attributes);

/// Whether an argument is one that the rewriter has put in.
bool isFiller(const clang::Expr &argument, llvm::StringRef text);

/// Takes ours off a declaration, so that code generation does not write them down as annotations.
void dropOurs(clang::Decl &declaration);

} // namespace dovetail
