#include "function_shapes.h"

#include "errors.h"
#include "module.h"

#include "llvm/IR/Instructions.h"

namespace dovetail {

using namespace llvm;

namespace {

FunctionShape shapeOf(const Function &F) {
  FunctionShape Shape;
  Shape.Name = readText(F.getName());
  const DataLayout &DL = F.getDataLayout();
  for (const BasicBlock &BB : F) {
    unsigned Divisions = 0, Loads = 0;
    for (const Instruction &I : BB) {
      Divisions += I.isIntDivRem();
      Loads += isa<LoadInst>(I);
      if (const auto *Variable = dyn_cast<AllocaInst>(&I)) {
        auto Size = Variable->getAllocationSize(DL);
        Shape.Variables.push_back(Size ? Size->getFixedValue() : 0);
      }
    }
    Shape.Blocks.push_back({Divisions, Loads});
  }
  return Shape;
}

} // namespace

std::vector<FunctionShape> functionShapes(ModuleHandle &Handle) {
  return Handle.use("listing the shapes of functions", [](const Module &M) {
    std::vector<FunctionShape> Shapes;
    for (const Function &F : M)
      if (!F.isDeclaration())
        Shapes.push_back(shapeOf(F));
    return Shapes;
  });
}

} // namespace dovetail
