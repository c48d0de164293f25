// Our attributes, made such that clang keeps them.
//
// Stock clang drops the arguments of attributes that it does not know. While it reads tokens, we
// turn
//
//   [[sycl::device_has(A, B)]]   into   [[clang::annotate("dovetail.device_has", A, B)]]
//
// so that clang parses the arguments, instantiates them in templates, and keeps them in the AST. An
// attribute that belongs to a type, such as one behind a lambda's parameters, becomes
// annotate_type. Attributes that are not ours stay as they are.
#pragma once

namespace clang {
class Preprocessor;
}

namespace dovetail {

/// Rewrites our attributes in everything that the preprocessor reads from now on.
void rewriteAttributes(clang::Preprocessor &preprocessor);

} // namespace dovetail
