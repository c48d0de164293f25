#include "passes.h"

#include "by_value.h"
#include "errors.h"
#include "module.h"
#include "nvptx_forms.h"
#include "target.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"

namespace dovetail {

using namespace llvm;

namespace {

/// SPIR-V's drivers compute several work-items with one instruction, and have vectors of few
/// lengths: those that LLVM would make of loops are in their way.
PipelineTuningOptions tuningFor(const Triple &triple) {
  PipelineTuningOptions options;
  if (triple.isSPIRV())
    options.LoopVectorization = options.LoopInterleaving = options.SLPVectorization = false;
  return options;
}

} // namespace

void runPipeline(llvm::Module &ir, const std::string &pipeline, TargetMachine *machine) {
  // In this order: the managers refer to each other, and the inner ones must go first.
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(machine, tuningFor(ir.getTargetTriple()));
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name == SeparateFloatBits::text)
          passes.addPass(SeparateFloatBits());
        else if (name == KeepZeroSigns::text)
          passes.addPass(KeepZeroSigns());
        else
          return false;
        return true;
      });
  builder.registerPipelineParsingCallback(
      [](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        if (name != PassByReference::text)
          return false;
        passes.addPass(PassByReference());
        return true;
      });
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

namespace {

/// The machine for the module's target; none if LLVM does not have it.
std::unique_ptr<TargetMachine> machineFor(ModuleHandle &module, const std::string &cpu) {
  Triple triple = targetTriple(module);
  auto backEnd = lockBackEnd(triple);
  return module.look("preparing passes", [&](llvm::Module &) -> std::unique_ptr<TargetMachine> {
    if (!isKnownTarget(triple))
      return nullptr;
    TargetRequest request;
    request.cpu = cpu;
    return createTargetMachine(triple, request);
  });
}

} // namespace

void runPasses(ModuleHandle &module, const std::string &pipeline, const std::string &cpu) {
  auto machine = machineFor(module, cpu);
  module.use(
      "running passes", [&](llvm::Module &ir) { runPipeline(ir, pipeline, machine.get()); },
      /*isDeep=*/true);
}

} // namespace dovetail
