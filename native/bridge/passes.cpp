#include "passes.h"

#include "errors.h"
#include "module.h"
#include "target.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"

namespace dovetail {

using namespace llvm;

namespace {

std::unique_ptr<TargetMachine> machineFor(const Triple &triple, const std::string &cpu) {
  if (!isKnownTarget(triple))
    return nullptr;
  TargetRequest request;
  request.cpu = cpu;
  return createTargetMachine(triple, request);
}

void runPipeline(llvm::Module &ir, const std::string &pipeline, TargetMachine *machine) {
  // In this order: the managers refer to each other, and the inner ones must go first.
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  ModulePassManager passes;
  if (Error error = builder.parsePassPipeline(passes, pipeline))
    throw IRError(toString(std::move(error)));
  passes.run(ir, modules);
}

Triple tripleOf(ModuleHandle &module) {
  return module.use("reading a module's triple",
                    [](llvm::Module &ir) { return ir.getTargetTriple(); });
}

} // namespace

void runPasses(ModuleHandle &module, const std::string &pipeline, const std::string &cpu) {
  // Taken outside of the guard: a crash inside must not leave it locked.
  auto backEnd = lockBackEnd(tripleOf(module));
  module.use("running passes", [&](llvm::Module &ir) {
    auto machine = machineFor(ir.getTargetTriple(), cpu);
    runPipeline(ir, pipeline, machine.get());
  });
}

} // namespace dovetail
