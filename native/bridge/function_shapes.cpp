#include "function_shapes.h"

#include "module.h"

#include "llvm/IR/Instructions.h"

namespace dovetail {

using namespace llvm;

namespace {

Expected<FunctionShape> shapeOf(const Function &F) {
  Expected<std::string> Name = readText(F.getName());
  if (!Name)
    return Name.takeError();
  FunctionShape Shape;
  Shape.Name = std::move(*Name);
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
  using ShapeVector = std::vector<FunctionShape>;
  return Handle.use("listing the shapes of functions",
                    [](const Module &M) -> Expected<ShapeVector> {
                      ShapeVector Shapes;
                      for (const Function &F : M) {
                        if (F.isDeclaration())
                          continue;
                        Expected<FunctionShape> Shape = shapeOf(F);
                        if (!Shape)
                          return Shape.takeError();
                        Shapes.push_back(std::move(*Shape));
                      }
                      return Shapes;
                    });
}

} // namespace dovetail
