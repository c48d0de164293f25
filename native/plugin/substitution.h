// Arguments of attributes on types, which clang leaves as the template has them.
#pragma once

#include "attributes.h"
#include "clang/AST/ASTMutationListener.h"

namespace dovetail {

/// Replaces arguments that depend on template parameters by those of an instance, `function`, of
/// the template. If that fails, reports an error, makes `function` invalid and leaves them as they
/// are.
void substituteArguments(AttributeUse &use, const clang::FunctionDecl &function, clang::Sema &sema);

/// Notes for each class inside a function, lambdas among them, which element of the parameter packs
/// around it it is made for: clang forgets that as soon as the class is complete.
class PackElements : public clang::ASTMutationListener {
public:
  explicit PackElements(clang::Sema *const &sema) : sema(sema) {}

  void CompletedTagDefinition(const clang::TagDecl *tag) override;

private:
  clang::Sema *const &sema; // null before and after parsing
};

} // namespace dovetail
