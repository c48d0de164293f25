// Telling host code which of the device's variables its global variables are.
//
// A class that wants to know has a static member function
//
//   void __dovetail_identify(const void *first, std::size_t size, std::size_t stride,
//                            const char *identifier);
//
// It is called for each global variable of that class, and each array of it, before anything else
// of the program runs: with where it is, the bytes of all of it and of one element, and what the
// device's side calls it.
#pragma once

#include "llvm/ADT/SetVector.h"
#include <string>

namespace clang {
class CXXMethodDecl;
class CXXRecordDecl;
class Decl;
class Expr;
class Sema;
class VarDecl;
} // namespace clang

namespace dovetail {

class VariableIdentifier {
public:
  /// `unique` tells the source from others, for variables that others do not see.
  VariableIdentifier(clang::Sema &sema, std::string unique)
      : sema(sema), unique(std::move(unique)) {}

  /// Called for every declaration.
  void consider(clang::Decl &declaration);

  /// Has code generated for the calls.
  void emit();

private:
  clang::CXXMethodDecl *functionFor(const clang::VarDecl &variable);
  clang::Expr *call(clang::VarDecl &variable);
  std::string identifierOf(const clang::VarDecl &variable) const;

  clang::Sema &sema;
  std::string unique;
  llvm::SmallSetVector<clang::VarDecl *, 8> variables; // the first declaration of each
};

} // namespace dovetail
