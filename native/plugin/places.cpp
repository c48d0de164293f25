#include "places.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace dovetail {

PlaceFact PlaceTable::place(SourceLocation location) {
  PresumedLoc presumed = sources.getPresumedLoc(sources.getFileLoc(location));
  llvm::StringRef file = presumed.isValid() ? presumed.getFilename() : "";
  auto [entry, isNew] = numbers.try_emplace(file, files.size());
  if (isNew)
    files.push_back(file.str());
  if (!presumed.isValid())
    return {entry->second, 0, 0};
  return {entry->second, presumed.getLine(), presumed.getColumn()};
}

} // namespace dovetail
