#include "function_shapes.h"

#include "errors.h"
#include "module.h"

#include "llvm/IR/Instructions.h"

namespace dovetail {

using namespace llvm;

namespace {

FunctionShape shapeOf(const Function &function) {
  FunctionShape shape;
  shape.name = readText(function.getName());
  const DataLayout &layout = function.getDataLayout();
  for (const BasicBlock &block : function) {
    unsigned divisions = 0, loads = 0;
    for (const Instruction &instruction : block) {
      divisions += instruction.isIntDivRem();
      loads += isa<LoadInst>(instruction);
      if (const auto *variable = dyn_cast<AllocaInst>(&instruction)) {
        auto size = variable->getAllocationSize(layout);
        shape.variables.push_back(size ? size->getFixedValue() : 0);
      }
    }
    shape.blocks.push_back({divisions, loads});
  }
  return shape;
}

} // namespace

std::vector<FunctionShape> functionShapes(ModuleHandle &module) {
  return module.use("listing the shapes of functions", [](const llvm::Module &ir) {
    std::vector<FunctionShape> shapes;
    for (const Function &function : ir)
      if (!function.isDeclaration())
        shapes.push_back(shapeOf(function));
    return shapes;
  });
}

} // namespace dovetail
