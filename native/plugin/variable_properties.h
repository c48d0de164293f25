// Global variables with properties, which they get from their classes.
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

/// The name of a function that uses all such variables.
inline constexpr llvm::StringRef VariableUserName = "__dovetail_variables";

/// Whether the type of a variable, or of an array's elements, is a class with a property list for
/// variables.
bool hasVariableProperties(const clang::VarDecl &VD, const clang::ASTContext &Ctx);

/// Collects variables with properties from parsed declarations and from uses in device code.
class VariableFinder {
public:
  explicit VariableFinder(clang::ASTContext &Ctx) : Ctx(Ctx) {}

  /// Adds the variables in a top-level declaration.
  void visit(clang::Decl &D);

  /// Adds a variable that device code names.
  void add(const clang::VarDecl &VD);

  /// Makes clang emit all definitions, since the host may use variables that no kernel uses. Clang
  /// emits only variables that device code uses, so a function uses them, which passes remove.
  void emit(clang::Sema &S) const;

  std::vector<VariableFact> facts(PlaceTable &Places) const;

private:
  clang::ASTContext &Ctx;
  llvm::SmallSetVector<const clang::VarDecl *, 8> Variables; // canonical declarations
};

} // namespace dovetail
