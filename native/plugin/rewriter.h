// Rewrites SYCL attributes into annotations, which clang keeps in the AST.
//
// Stock clang drops the arguments of attributes that it does not know. While it reads tokens, the
// rewriter changes
//
//   [[sycl::device_has(A, B)]]   to   [[clang::annotate("dovetail.device_has", A, B)]]
//
// so that clang parses the arguments, instantiates them in templates and keeps them. An attribute
// that belongs to a type, such as one after a lambda's parameters, becomes annotate_type.
// `has(A, B)` is rewritten to `A, B`. attribute_table.h lists the attributes. Those that only
// affect the generation of hardware are replaced by commas, which C++ allows in attribute lists. In
// `__attribute__((...))`, names are rewritten to `annotate` in the same way. Other attributes are
// not changed.
// docs/decisions/7-attributes-from-tokens.md describes the alternatives.
#pragma once

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
class SourceManager;
} // namespace clang

namespace dovetail {

/// The locations of rewritten attributes.
class AttributeLocations {
public:
  explicit AttributeLocations(const clang::SourceManager &SM) : SM(SM) {}

  /// `Name` is as in the source, with its scope, without underscores.
  void add(clang::SourceLocation Loc, llvm::StringRef Name);

  /// Returns the attribute's scope and name in the source, without underscores; empty if there is
  /// no attribute at this location.
  llvm::StringRef nameAt(clang::SourceLocation Loc) const {
    auto It = Names.find(Loc);
    return It == Names.end() ? "" : llvm::StringRef(It->second);
  }

  /// Attributes in user files that have not been checked yet.
  std::vector<clang::SourceLocation> Unchecked;

private:
  const clang::SourceManager &SM;
  llvm::DenseMap<clang::SourceLocation, std::string> Names;
};

/// Installs the rewriter in a preprocessor. It records attributes in `Locations` unless that is
/// null.
void rewriteAttributes(clang::Preprocessor &PP, AttributeLocations *Locations = nullptr);

} // namespace dovetail
