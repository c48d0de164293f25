#include "debug_units.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/GlobalVariable.h"

namespace dovetail {

using namespace llvm;

namespace {

DICompileUnit *makeStandIn(const DICompileUnit &unit) {
  DICompileUnit *standIn = MDNode::replaceWithDistinct(unit.clone());
  standIn->replaceEnumTypes(nullptr);
  standIn->replaceRetainedTypes(nullptr);
  standIn->replaceGlobalVariables(nullptr);
  standIn->replaceImportedEntities(nullptr);
  standIn->replaceMacros(nullptr);
  return standIn;
}

/// The unit that a scope lies in; null for namespaces, which belong to no unit.
DICompileUnit *enclosingUnit(const DIScope *scope) {
  for (; scope; scope = scope->getScope()) {
    if (auto *subprogram = dyn_cast<DISubprogram>(scope); subprogram && subprogram->getUnit())
      return subprogram->getUnit();
    if (auto *unit = dyn_cast<DICompileUnit>(scope))
      return const_cast<DICompileUnit *>(unit);
  }
  return nullptr;
}

} // namespace

DebugUnits::DebugUnits(llvm::Module &source, ValueToValueMapTy &map) : source(source), map(map) {
  for (DICompileUnit *unit : source.debug_compile_units()) {
    units.emplace_back(unit, makeStandIn(*unit));
    map.MD()[unit].reset(units.back().second);
  }
}

void DebugUnits::finish(llvm::Module &destination,
                        ArrayRef<std::pair<const GlobalVariable *, GlobalVariable *>> globals) {
  if (units.empty())
    return;
  Globals lists = globalsByUnit(globals);
  auto referred = referredUnits();
  for (auto [unit, standIn] : units) {
    auto list = lists.find(unit);
    if (list == lists.end() && !referred.count(standIn))
      continue;
    if (list != lists.end())
      standIn->replaceGlobalVariables(MDTuple::get(destination.getContext(), list->second));
    destination.getOrInsertNamedMetadata("llvm.dbg.cu")->addOperand(standIn);
  }
}

DebugUnits::Globals
DebugUnits::globalsByUnit(ArrayRef<std::pair<const GlobalVariable *, GlobalVariable *>> globals) {
  Globals lists;
  for (auto [oldVariable, newVariable] : globals) {
    SmallVector<DIGlobalVariableExpression *, 1> oldExpressions, newExpressions;
    oldVariable->getDebugInfo(oldExpressions);
    newVariable->getDebugInfo(newExpressions);
    for (auto [oldExpression, newExpression] : zip_equal(oldExpressions, newExpressions))
      if (DICompileUnit *unit = unitOf(oldExpression))
        lists[unit].push_back(newExpression);
  }
  return lists;
}

DICompileUnit *DebugUnits::unitOf(const DIGlobalVariableExpression *expression) {
  if (DICompileUnit *unit = enclosingUnit(expression->getVariable()->getScope()))
    return unit;
  if (units.size() == 1)
    return units.front().first;
  if (!owners) {
    owners.emplace();
    for (DICompileUnit *unit : source.debug_compile_units())
      for (DIGlobalVariableExpression *listed : unit->getGlobalVariables())
        owners->try_emplace(listed, unit);
  }
  return owners->lookup(expression);
}

/// The stand-ins that a mapped node has as an operand; the verifier wants exactly these listed.
SmallPtrSet<const Metadata *, 4> DebugUnits::referredUnits() const {
  SmallPtrSet<const Metadata *, 4> referred;
  for (const auto &[oldNode, newNode] : map.MD()) {
    auto *node = dyn_cast_or_null<MDNode>(newNode.get());
    if (!node)
      continue;
    for (const MDOperand &operand : node->operands())
      if (operand && isa<DICompileUnit>(operand.get()))
        referred.insert(operand.get());
  }
  return referred;
}

} // namespace dovetail
