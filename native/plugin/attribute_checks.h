// Errors in our attributes themselves: their arguments, what they stand on, and their repetition.
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

class AttributePlaces;

/// Looks only at declarations that have attributes of ours in them, as the rewriter saw them, so
/// that sources without any cost nothing.
class AttributeChecker {
public:
  AttributeChecker(clang::Sema &sema, AttributePlaces &places) : sema(sema), places(places) {}

  /// Something that the parser has read to its end, or an instance of a template.
  void check(clang::Decl &declaration);

  /// A class that is complete now: its members and, if it is an instance of a template, itself.
  void checkClass(clang::TagDecl &tag);

private:
  clang::Sema &sema;
  AttributePlaces &places;
  bool sawDependent = false; // arguments that only an instance can be checked for
  llvm::DenseSet<clang::SourceLocation> wrong;
};

/// As long as it lives, clang names our attributes where its messages would say `clang::annotate`.
class AttributeNamesInMessages {
public:
  AttributeNamesInMessages(clang::ASTContext &context, const AttributePlaces &places);
  ~AttributeNamesInMessages();
  AttributeNamesInMessages(const AttributeNamesInMessages &) = delete;

  clang::ASTContext &context;
  const AttributePlaces &places;
};

} // namespace dovetail
