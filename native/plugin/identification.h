// Registers global variables of the host that have a counterpart on the device.
//
// A class can declare a static member function
//
//   void __dovetail_identify(const void *first, std::size_t size, std::size_t stride,
//                            const char *identifier);
//
// It is called for each global variable of that class, and each array of the class, before other
// code of the program runs. Arguments are the variable's address, its size, the size of an element
// in bytes, and the variable's name on the device.
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
  /// `Unique` distinguishes the source from others, for variables with internal linkage.
  VariableIdentifier(clang::Sema &S, std::string Unique) : S(S), Unique(std::move(Unique)) {}

  /// Adds the variables in a top-level declaration.
  void visit(clang::Decl &D);

  /// Generates the function that makes the calls.
  void emit();

private:
  clang::CXXMethodDecl *findFunction(const clang::VarDecl &VD);
  clang::Expr *buildCall(clang::VarDecl &VD);
  std::string identifierOf(const clang::VarDecl &VD) const;

  clang::Sema &S;
  std::string Unique;
  llvm::SmallSetVector<clang::VarDecl *, 8> Variables; // canonical declarations
};

} // namespace dovetail
