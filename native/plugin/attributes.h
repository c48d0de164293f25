//===- Our attributes, as clang keeps them --------------------------------------------*- C++
//-*-===//
//
// Stock clang drops the arguments of attributes that it does not know. While it reads tokens, we
// turn
//
//   [[sycl::device_has(A, B)]]   into   [[clang::annotate("dovetail.device_has", A, B)]]
//
// so that clang parses the arguments, instantiates them in templates, and keeps them in the AST. An
// attribute behind a parameter list belongs to the function's type (this is where a lambda's go)
// and becomes annotate_type.
//
//===----------------------------------------------------------------------------------------------===//
#ifndef DOVETAIL_PLUGIN_ATTRIBUTES_H
#define DOVETAIL_PLUGIN_ATTRIBUTES_H

#include "clang/AST/Attr.h"
#include <string>
#include <utility>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace dovetail {

/// Rewrites our attributes in everything that PP reads from now on.
void rewriteAttributes(clang::Preprocessor &PP);

/// The annotations named Attribute ("device_has", without prefix) that D carries.
std::vector<const clang::AnnotateAttr *> annotations(const clang::Decl &D,
                                                     llvm::StringRef Attribute);

/// Name and value pairs of an add_ir_attributes_* attribute: all names come first, then all values.
using Properties = std::vector<std::pair<std::string, std::string>>;
Properties properties(const clang::AnnotateAttr &Attribute, const clang::ASTContext &Context);

} // namespace dovetail

#endif
