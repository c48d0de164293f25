#include "places.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace dovetail {

PlaceFact PlaceTable::place(SourceLocation Loc) {
  PresumedLoc Presumed = SM.getPresumedLoc(SM.getFileLoc(Loc));
  llvm::StringRef File = Presumed.isValid() ? Presumed.getFilename() : "";
  auto [It, Inserted] = Numbers.try_emplace(File, Files.size());
  if (Inserted)
    Files.push_back(File.str());
  if (!Presumed.isValid())
    return {It->second, 0, 0};
  return {It->second, Presumed.getLine(), Presumed.getColumn()};
}

} // namespace dovetail
