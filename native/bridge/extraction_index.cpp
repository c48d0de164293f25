#include "extraction_index.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"

namespace dovetail {

using namespace llvm;

namespace {

SmallPtrSet<const GlobalValue *, 2> globalsNamedBy(const MDNode &Node) {
  SmallPtrSet<const GlobalValue *, 2> Globals;
  for (const MDOperand &Op : Node.operands())
    if (auto *C = dyn_cast_or_null<ConstantAsMetadata>(Op.get()))
      if (auto *GV = dyn_cast<GlobalValue>(C->getValue()))
        Globals.insert(GV);
  return Globals;
}

} // namespace

NamedListIndex::NamedListIndex(const NamedMDNode &List) {
  for (const MDNode *Node : List.operands()) {
    auto Globals = globalsNamedBy(*Node);
    unsigned Index = Entries.size();
    Entries.push_back({Node, static_cast<unsigned>(Globals.size())});
    if (Globals.empty())
      General.push_back(Index);
    for (const GlobalValue *GV : Globals)
      ByGlobal[GV].push_back(Index);
  }
}

SmallVector<const MDNode *>
NamedListIndex::nodesAbout(ArrayRef<const GlobalValue *> Globals) const {
  SmallVector<unsigned> Found = General;
  SmallDenseMap<unsigned, unsigned, 8> Counts;
  if (!ByGlobal.empty())
    for (const GlobalValue *GV : Globals)
      if (auto Named = ByGlobal.find(GV); Named != ByGlobal.end())
        for (unsigned Index : Named->second)
          if (++Counts[Index] == Entries[Index].GlobalCount)
            Found.push_back(Index);
  sort(Found);
  return to_vector(map_range(Found, [&](unsigned Index) { return Entries[Index].Node; }));
}

DICompileUnit *ExtractionIndex::unitListing(const DIGlobalVariableExpression *Variable,
                                            const Module &Source) {
  if (!Units) {
    Units.emplace();
    for (DICompileUnit *Unit : Source.debug_compile_units())
      for (DIGlobalVariableExpression *Listed : Unit->getGlobalVariables())
        Units->try_emplace(Listed, Unit);
  }
  return Units->lookup(Variable);
}

const NamedListIndex &ExtractionIndex::namedList(const NamedMDNode &List) {
  return NamedLists.try_emplace(List.getName(), List).first->second;
}

void ExtractionIndex::clear() {
  Units.reset();
  NamedLists.clear();
}

} // namespace dovetail
