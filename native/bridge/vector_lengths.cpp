#include "vector_lengths.h"

#include "module.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

namespace dovetail {

using namespace llvm;

namespace {

bool isOther(const Type *type, ArrayRef<unsigned> lengths) {
  const auto *vector = dyn_cast<FixedVectorType>(type);
  return vector && !is_contained(lengths, vector->getNumElements());
}

bool hasOther(const Function &function, ArrayRef<unsigned> lengths) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    return isOther(instruction.getType(), lengths) ||
           any_of(instruction.operands(),
                  [&](const Use &use) { return isOther(use->getType(), lengths); });
  });
}

} // namespace

void splitVectors(ModuleHandle &module, const std::vector<unsigned> &lengths) {
  module.use(
      "splitting vectors",
      [&](llvm::Module &ir) {
        FunctionAnalysisManager analyses;
        PassBuilder().registerFunctionAnalyses(analyses);
        ScalarizerPassOptions options;
        options.ScalarizeLoadStore = true;
        ScalarizerPass pass(options);
        for (Function &function : ir)
          if (!function.isDeclaration() && hasOther(function, lengths))
            pass.run(function, analyses);
      },
      /*isDeep=*/true);
}

} // namespace dovetail
