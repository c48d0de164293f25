#include "debug_units.h"

#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

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

unsigned countUnits(const llvm::Module &source) {
  const NamedMDNode *units = source.getNamedMetadata("llvm.dbg.cu");
  return units ? units->getNumOperands() : 0;
}

} // namespace

DebugUnits::DebugUnits(const llvm::Module &source, ValueToValueMapTy &map, ExtractionIndex &index)
    : source(source), map(map), index(index), unitCount(countUnits(source)) {}

void DebugUnits::prepare(const GlobalObject &object) {
  if (unitCount == 0)
    return;
  SmallVector<std::pair<unsigned, MDNode *>, 4> nodes;
  object.getAllMetadata(nodes);
  for (auto [kind, node] : nodes)
    visit(node);
  if (auto *function = dyn_cast<Function>(&object))
    for (const Instruction &instruction : instructions(function))
      prepareInstruction(instruction);
  visitPending();
}

void DebugUnits::prepare(const MDNode &node) {
  if (unitCount == 0)
    return;
  visit(&node);
  visitPending();
}

void DebugUnits::prepareInstruction(const Instruction &instruction) {
  SmallVector<std::pair<unsigned, MDNode *>, 4> nodes;
  instruction.getAllMetadata(nodes);
  for (auto [kind, node] : nodes)
    visit(node);
  if (auto *call = dyn_cast<CallBase>(&instruction))
    for (const Value *argument : call->args())
      if (auto *metadata = dyn_cast<MetadataAsValue>(argument))
        visit(metadata->getMetadata());
  for (const DbgRecord &record : instruction.getDbgRecordRange()) {
    visit(record.getDebugLoc().getAsMDNode());
    if (auto *variable = dyn_cast<DbgVariableRecord>(&record))
      visit(variable->getVariable());
    else
      visit(cast<DbgLabelRecord>(record).getLabel());
  }
}

void DebugUnits::visit(const Metadata *metadata) {
  auto *node = dyn_cast_or_null<MDNode>(metadata);
  if (node && seen.insert(node).second)
    pending.push_back(node);
}

void DebugUnits::visitPending() {
  while (!pending.empty()) {
    const MDNode *node = pending.pop_back_val();
    if (auto *unit = dyn_cast<DICompileUnit>(node)) {
      standInFor(*const_cast<DICompileUnit *>(unit));
      continue;
    }
    for (const MDOperand &operand : node->operands())
      visit(operand.get());
  }
}

DICompileUnit *DebugUnits::standInFor(DICompileUnit &unit) {
  DICompileUnit *&standIn = standIns[&unit];
  if (!standIn) {
    standIn = makeStandIn(unit);
    map.MD()[&unit].reset(standIn);
  }
  return standIn;
}

void DebugUnits::finish(llvm::Module &destination,
                        ArrayRef<std::pair<const GlobalVariable *, GlobalVariable *>> globals) {
  DenseMap<const DICompileUnit *, SmallVector<Metadata *>> lists;
  for (auto [oldVariable, newVariable] : globals) {
    SmallVector<DIGlobalVariableExpression *, 1> oldExpressions, newExpressions;
    oldVariable->getDebugInfo(oldExpressions);
    newVariable->getDebugInfo(newExpressions);
    for (auto [oldExpression, newExpression] : zip_equal(oldExpressions, newExpressions))
      if (DICompileUnit *unit = unitOf(oldExpression))
        lists[standInFor(*unit)].push_back(newExpression);
  }
  for (auto [unit, standIn] : standIns) {
    if (auto list = lists.find(standIn); list != lists.end())
      standIn->replaceGlobalVariables(MDTuple::get(destination.getContext(), list->second));
    destination.getOrInsertNamedMetadata("llvm.dbg.cu")->addOperand(standIn);
  }
}

DICompileUnit *DebugUnits::unitOf(const DIGlobalVariableExpression *expression) {
  if (DICompileUnit *unit = enclosingUnit(expression->getVariable()->getScope()))
    return unit;
  if (unitCount == 1)
    return *source.debug_compile_units_begin();
  return index.unitListing(expression, source);
}

} // namespace dovetail
