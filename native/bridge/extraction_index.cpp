#include "extraction_index.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"

namespace dovetail {

using namespace llvm;

namespace {

SmallPtrSet<const GlobalValue *, 2> globalsNamedBy(const MDNode &node) {
  SmallPtrSet<const GlobalValue *, 2> globals;
  for (const MDOperand &operand : node.operands())
    if (auto *constant = dyn_cast_or_null<ConstantAsMetadata>(operand.get()))
      if (auto *global = dyn_cast<GlobalValue>(constant->getValue()))
        globals.insert(global);
  return globals;
}

} // namespace

NamedListIndex::NamedListIndex(const NamedMDNode &list) {
  for (const MDNode *node : list.operands()) {
    auto globals = globalsNamedBy(*node);
    unsigned index = entries.size();
    entries.push_back({node, static_cast<unsigned>(globals.size())});
    if (globals.empty())
      general.push_back(index);
    for (const GlobalValue *global : globals)
      byGlobal[global].push_back(index);
  }
}

SmallVector<const MDNode *>
NamedListIndex::nodesAbout(ArrayRef<const GlobalValue *> globals) const {
  SmallVector<unsigned> found = general;
  SmallDenseMap<unsigned, unsigned, 8> counts;
  if (!byGlobal.empty())
    for (const GlobalValue *global : globals)
      if (auto named = byGlobal.find(global); named != byGlobal.end())
        for (unsigned index : named->second)
          if (++counts[index] == entries[index].globalCount)
            found.push_back(index);
  sort(found);
  return to_vector(map_range(found, [&](unsigned index) { return entries[index].node; }));
}

DICompileUnit *ExtractionIndex::unitListing(const DIGlobalVariableExpression *variable,
                                            const llvm::Module &source) {
  if (!units) {
    units.emplace();
    for (DICompileUnit *unit : source.debug_compile_units())
      for (DIGlobalVariableExpression *listed : unit->getGlobalVariables())
        units->try_emplace(listed, unit);
  }
  return units->lookup(variable);
}

const NamedListIndex &ExtractionIndex::namedList(const NamedMDNode &list) {
  return namedLists.try_emplace(list.getName(), list).first->second;
}

void ExtractionIndex::forget() {
  units.reset();
  namedLists.clear();
}

} // namespace dovetail
