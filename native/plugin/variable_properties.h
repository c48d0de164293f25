// The global variables that have properties, which come from their classes.
#pragma once

#include "facts.h"
#include "llvm/ADT/SetVector.h"

namespace clang {
class ASTContext;
class Decl;
class Sema;
class VarDecl;
} // namespace clang

namespace dovetail {

class PlaceTable;

/// The function that uses all such variables.
inline constexpr llvm::StringRef variableUser = "__dovetail_variables";

/// Whether its type, or that of an array's elements, is a class with a list of such properties.
bool hasVariableProperties(const clang::VarDecl &variable, const clang::ASTContext &context);

/// Collects them from the declarations that the parser hands over, and from what code names.
class VariableFinder {
public:
  explicit VariableFinder(clang::ASTContext &context) : context(context) {}

  /// Called for every declaration.
  void consider(clang::Decl &declaration);

  /// A variable that device code names.
  void add(const clang::VarDecl &variable);

  /// Has code generated for all definitions, whether or not a kernel uses them: the host may. Clang
  /// generates it for what device code uses alone, so a function does that which passes take away.
  void emit(clang::Sema &sema) const;

  std::vector<VariableFact> facts(PlaceTable &places) const;

private:
  clang::ASTContext &context;
  llvm::SmallSetVector<const clang::VarDecl *, 8> variables; // the first declaration of each
};

} // namespace dovetail
