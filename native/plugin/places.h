// Source locations in the form of the facts file: a file number, a line and a column.
#pragma once

#include "facts.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringMap.h"

namespace clang {
class SourceManager;
} // namespace clang

namespace dovetail {

class PlaceTable {
public:
  explicit PlaceTable(const clang::SourceManager &SM) : SM(SM) {}

  /// Converts a location. Locations in macros become those of the expansion, and `#line` directives
  /// are applied.
  PlaceFact place(clang::SourceLocation Loc);

  std::vector<std::string> takeFiles() { return std::move(Files); }

private:
  const clang::SourceManager &SM;
  std::vector<std::string> Files;
  llvm::StringMap<unsigned> Numbers;
};

} // namespace dovetail
