// Places in the source as the facts file has them: a number for the file, line and column.
#pragma once

#include "facts.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringMap.h"

namespace clang {
class SourceManager;
}

namespace dovetail {

class PlaceTable {
public:
  explicit PlaceTable(const clang::SourceManager &sources) : sources(sources) {}

  /// Where a macro is used, not what is written in it; `#line` counts.
  PlaceFact place(clang::SourceLocation location);

  std::vector<std::string> takeFiles() { return std::move(files); }

private:
  const clang::SourceManager &sources;
  std::vector<std::string> files;
  llvm::StringMap<unsigned> numbers;
};

} // namespace dovetail
