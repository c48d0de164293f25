#include "debug_units.h"

#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

namespace dovetail {

using namespace llvm;

namespace {

DICompileUnit *makeStandIn(const DICompileUnit &Unit) {
  DICompileUnit *StandIn = MDNode::replaceWithDistinct(Unit.clone());
  StandIn->replaceEnumTypes(nullptr);
  StandIn->replaceRetainedTypes(nullptr);
  StandIn->replaceGlobalVariables(nullptr);
  StandIn->replaceImportedEntities(nullptr);
  StandIn->replaceMacros(nullptr);
  return StandIn;
}

/// Returns the unit that contains a scope, or null for namespaces, which belong to no unit.
DICompileUnit *enclosingUnit(const DIScope *Scope) {
  for (; Scope; Scope = Scope->getScope()) {
    if (auto *Subprogram = dyn_cast<DISubprogram>(Scope); Subprogram && Subprogram->getUnit())
      return Subprogram->getUnit();
    if (auto *Unit = dyn_cast<DICompileUnit>(Scope))
      return const_cast<DICompileUnit *>(Unit);
  }
  return nullptr;
}

unsigned countUnits(const Module &Source) {
  const NamedMDNode *Units = Source.getNamedMetadata("llvm.dbg.cu");
  return Units ? Units->getNumOperands() : 0;
}

} // namespace

DebugUnits::DebugUnits(const Module &Source, ValueToValueMapTy &VMap, ExtractionIndex &Index)
    : Source(Source), VMap(VMap), Index(Index), UnitCount(countUnits(Source)) {}

void DebugUnits::prepare(const GlobalObject &Object) {
  if (UnitCount == 0)
    return;
  SmallVector<std::pair<unsigned, MDNode *>, 4> Nodes;
  Object.getAllMetadata(Nodes);
  for (auto [Kind, Node] : Nodes)
    visit(Node);
  if (auto *F = dyn_cast<Function>(&Object))
    for (const Instruction &I : instructions(F))
      prepareInstruction(I);
  visitPending();
}

void DebugUnits::prepare(const MDNode &Node) {
  if (UnitCount == 0)
    return;
  visit(&Node);
  visitPending();
}

void DebugUnits::prepareInstruction(const Instruction &I) {
  SmallVector<std::pair<unsigned, MDNode *>, 4> Nodes;
  I.getAllMetadata(Nodes);
  for (auto [Kind, Node] : Nodes)
    visit(Node);
  if (auto *Call = dyn_cast<CallBase>(&I))
    for (const Value *Arg : Call->args())
      if (auto *MD = dyn_cast<MetadataAsValue>(Arg))
        visit(MD->getMetadata());
  for (const DbgRecord &Record : I.getDbgRecordRange()) {
    visit(Record.getDebugLoc().getAsMDNode());
    if (auto *Variable = dyn_cast<DbgVariableRecord>(&Record))
      visit(Variable->getVariable());
    else
      visit(cast<DbgLabelRecord>(Record).getLabel());
  }
}

void DebugUnits::visit(const Metadata *MD) {
  auto *Node = dyn_cast_or_null<MDNode>(MD);
  if (Node && Visited.insert(Node).second)
    Worklist.push_back(Node);
}

void DebugUnits::visitPending() {
  while (!Worklist.empty()) {
    const MDNode *Node = Worklist.pop_back_val();
    if (auto *Unit = dyn_cast<DICompileUnit>(Node)) {
      standInFor(*const_cast<DICompileUnit *>(Unit));
      continue;
    }
    for (const MDOperand &Op : Node->operands())
      visit(Op.get());
  }
}

DICompileUnit *DebugUnits::standInFor(DICompileUnit &Unit) {
  DICompileUnit *&StandIn = StandIns[&Unit];
  if (!StandIn) {
    StandIn = makeStandIn(Unit);
    VMap.MD()[&Unit].reset(StandIn);
  }
  return StandIn;
}

void DebugUnits::finish(Module &Destination,
                        ArrayRef<std::pair<const GlobalVariable *, GlobalVariable *>> Globals) {
  DenseMap<const DICompileUnit *, SmallVector<Metadata *>> Lists;
  for (auto [OldVariable, NewVariable] : Globals) {
    SmallVector<DIGlobalVariableExpression *, 1> OldExpressions, NewExpressions;
    OldVariable->getDebugInfo(OldExpressions);
    NewVariable->getDebugInfo(NewExpressions);
    for (auto [OldExpression, NewExpression] : zip_equal(OldExpressions, NewExpressions))
      if (DICompileUnit *Unit = unitOf(OldExpression))
        Lists[standInFor(*Unit)].push_back(NewExpression);
  }
  for (auto [Unit, StandIn] : StandIns) {
    if (auto List = Lists.find(StandIn); List != Lists.end())
      StandIn->replaceGlobalVariables(MDTuple::get(Destination.getContext(), List->second));
    Destination.getOrInsertNamedMetadata("llvm.dbg.cu")->addOperand(StandIn);
  }
}

DICompileUnit *DebugUnits::unitOf(const DIGlobalVariableExpression *Expression) {
  if (DICompileUnit *Unit = enclosingUnit(Expression->getVariable()->getScope()))
    return Unit;
  if (UnitCount == 1)
    return *Source.debug_compile_units_begin();
  return Index.unitListing(Expression, Source);
}

} // namespace dovetail
