// Template instantiation of attributes on types, whose arguments clang does not substitute.
#pragma once

#include "attributes.h"
#include "clang/AST/ASTMutationListener.h"

namespace dovetail {

/// Substitutes the template arguments of `FD`, an instance, into dependent attribute arguments. If
/// that fails, it reports an error, marks `FD` as invalid and leaves the arguments as they are.
void substituteArguments(AttributeUse &Use, const clang::FunctionDecl &FD, clang::Sema &S);

/// Records the pack index for which each local class or lambda is instantiated. Clang does not keep
/// it after the class is complete.
class PackIndexRecorder : public clang::ASTMutationListener {
public:
  explicit PackIndexRecorder(clang::Sema *const &S) : S(S) {}

  void CompletedTagDefinition(const clang::TagDecl *TD) override;

private:
  clang::Sema *const &S; // null before and after parsing
};

} // namespace dovetail
