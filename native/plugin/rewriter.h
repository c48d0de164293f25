// Our attributes, made such that clang keeps them.
//
// Stock clang drops the arguments of attributes that it does not know. While it reads tokens, we
// turn
//
//   [[sycl::device_has(A, B)]]   into   [[clang::annotate("dovetail.device_has", A, B)]]
//
// so that clang parses the arguments, instantiates them in templates, and keeps them in the AST. An
// attribute that belongs to a type, such as one behind a lambda's parameters, becomes
// annotate_type. `has(A, B)` means just `A, B`. Attributes that are not ours stay as they are.
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

/// Where our attributes stand in what has been read so far.
class AttributePlaces {
public:
  explicit AttributePlaces(const clang::SourceManager &sources) : sources(sources) {}

  void add(clang::SourceLocation place, llvm::StringRef scope, llvm::StringRef name);

  /// How the source names the attribute there, without underscores; empty if there is none.
  llvm::StringRef nameAt(clang::SourceLocation place) const {
    auto entry = names.find(place);
    return entry == names.end() ? "" : llvm::StringRef(entry->second);
  }

  /// Those of the user's files that nobody has looked at yet.
  std::vector<clang::SourceLocation> unchecked;

private:
  const clang::SourceManager &sources;
  llvm::DenseMap<clang::SourceLocation, std::string> names;
};

/// Rewrites our attributes in everything that the preprocessor reads from now on, and writes down
/// where they are if there is a place for that.
void rewriteAttributes(clang::Preprocessor &preprocessor, AttributePlaces *places = nullptr);

} // namespace dovetail
