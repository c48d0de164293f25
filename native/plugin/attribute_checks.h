// Checks SYCL attributes: their arguments, what they appertain to, and repetitions.
#pragma once

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class ASTContext;
class Decl;
class DiagnosticsEngine;
class Sema;
class TagDecl;
} // namespace clang

namespace dovetail {

class AttributeLocations;

/// Checks only declarations in which the rewriter has found attributes, so that sources without any
/// cost nothing.
class AttributeChecker {
public:
  AttributeChecker(clang::Sema &S, AttributeLocations &Locations) : S(S), Locations(Locations) {}

  /// Checks a declaration that has been parsed completely, or an instantiated function.
  void check(clang::Decl &D);

  /// Checks the members of a class that has become complete and, if the class is an instantiated
  /// one, the class.
  void checkClass(clang::TagDecl &TD);

private:
  clang::Sema &S;
  AttributeLocations &Locations;
  bool SawDependent = false; // some arguments can be checked only after instantiation
  llvm::DenseSet<clang::SourceLocation> Reported; // attributes with errors
};

/// While it exists, clang's messages name SYCL attributes instead of `clang::annotate`.
class AttributeNamesInMessages {
public:
  AttributeNamesInMessages(clang::ASTContext &Ctx, const AttributeLocations &Locations);
  ~AttributeNamesInMessages();
  AttributeNamesInMessages(const AttributeNamesInMessages &) = delete;

  clang::ASTContext &Ctx;
  const AttributeLocations &Locations;
};

} // namespace dovetail
