// The attributes of SYCL and of its headers, as they are read from declarations.
//
// The AST contains them as annotations; rewriter.h explains why.
#pragma once

#include "clang/AST/Attr.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class Sema;
} // namespace clang

namespace dovetail {

/// The annotation's text is this prefix and the attribute's name.
inline constexpr llvm::StringRef AnnotationPrefix = "dovetail.";

/// A placeholder for an argument that clang's syntax needs and the source does not have.
inline constexpr llvm::StringRef NoArgument = "dovetail-none";

/// Placeholders for the braces around the filter of a property list.
inline constexpr llvm::StringRef FilterBegin = "dovetail-filter";
inline constexpr llvm::StringRef FilterEnd = "dovetail-filter-end";

/// Attributes that are property lists (properties.h), by the entity that the properties describe.
inline constexpr llvm::StringRef FunctionProperties = "add_ir_attributes_function";
inline constexpr llvm::StringRef VariableProperties = "add_ir_attributes_global_variable";
inline constexpr llvm::StringRef ParameterProperties = "add_ir_attributes_kernel_parameter";
inline constexpr llvm::StringRef MemberProperties = "add_ir_annotations_member";

/// DPC++'s `__attribute__((sycl_device))`, which means SYCL_EXTERNAL for functions that other
/// sources can call.
inline constexpr llvm::StringRef ExternalFunction = "sycl_device";

/// The attribute whose argument is `automatic` or `primary`, which become strings.
inline constexpr llvm::StringRef NamedSubGroupSize = "named_sub_group_size";

/// Maps the name that an attribute had in the first design to its current name.
llvm::StringRef currentName(llvm::StringRef Name);

/// Whether an attribute's arguments are the names and values of properties.
bool isPropertyList(llvm::StringRef Name);

/// Whether an attribute's arguments are aspects, optionally written as `has(...)`.
bool hasAspectArguments(llvm::StringRef Name);

/// Returns a declaration's annotations for an attribute (`device_has`, without the prefix).
std::vector<const clang::AnnotateAttr *> annotations(const clang::Decl &D,
                                                     llvm::StringRef AttrName);

/// Whether a function has the attribute `ExternalFunction`, and can be external.
bool isMarkedExternal(const clang::FunctionDecl &FD);

/// One occurrence of an attribute in the source.
struct AttributeUse {
  llvm::StringRef Name; // the current one, without scope and underscores
  clang::SourceLocation Loc;
  llvm::SmallVector<const clang::Expr *, 3> Args;
};
using AttributeUses = llvm::SmallVector<AttributeUse, 2>;

/// Returns the SYCL attribute that an annotation represents, if it does.
std::optional<AttributeUse> asSYCLAttribute(const clang::Attr &A);

/// Returns the attributes that a declaration has itself or has inherited.
AttributeUses attributesOf(const clang::Decl &D);

/// Returns the attributes of all redeclarations.
AttributeUses attributesOfAllDecls(const clang::Decl &D);

/// Returns the attributes after a function's parameters, which belong to its type, of this
/// declaration.
AttributeUses typeAttributes(const clang::FunctionDecl &FD, clang::Sema &S);

/// Returns the attributes of all redeclarations of a function and of their types.
AttributeUses functionAttributes(const clang::FunctionDecl &FD, clang::Sema &S);

bool containsPropertyList(const AttributeUses &Attrs);

/// Whether an argument is a placeholder that the rewriter inserted.
bool isPlaceholder(const clang::Expr &Arg, llvm::StringRef Text);

/// Removes SYCL attributes, which code generation would emit as annotations.
void dropSYCLAttributes(clang::Decl &D);

} // namespace dovetail
