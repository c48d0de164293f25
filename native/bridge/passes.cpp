#include "passes.h"

#include "by_value.h"
#include "fences.h"
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

/// Drivers vectorize SPIR-V over work-items and support few vector lengths, so vectors that LLVM
/// would create from loops hinder them.
PipelineTuningOptions tuningFor(const Triple &TT) {
  PipelineTuningOptions Options;
  if (TT.isSPIRV())
    Options.LoopVectorization = Options.LoopInterleaving = Options.SLPVectorization = false;
  return Options;
}

} // namespace

Error runPipeline(Module &M, const std::string &Pipeline, TargetMachine *TM) {
  // Declared in the order that their destructors require, because they refer to each other.
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB(TM, tuningFor(M.getTargetTriple()));
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == SeparateFloatBits::PassName)
          FPM.addPass(SeparateFloatBits());
        else if (Name == KeepZeroSigns::PassName)
          FPM.addPass(KeepZeroSigns());
        else
          return false;
        return true;
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != PassByReference::PassName)
          return false;
        MPM.addPass(PassByReference());
        return true;
      });
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(AddFences()); });
  PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel,
                                        ThinOrFullLTOPhase) { MPM.addPass(RemoveFences()); });
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);

  ModulePassManager MPM;
  if (Error Err = PB.parsePassPipeline(MPM, Pipeline))
    return Err;
  MPM.run(M, MAM);
  return Error::success();
}

namespace {

/// Returns the machine for the module's target, or null if LLVM does not support it.
std::unique_ptr<TargetMachine> machineFor(ModuleHandle &Handle, const std::string &CPU) {
  Triple TT = targetTriple(Handle);
  auto BackEnd = lockBackEnd(TT);
  using MachinePtr = std::unique_ptr<TargetMachine>;
  return Handle.look("preparing passes", [&](Module &) -> Expected<MachinePtr> {
    if (!isKnownTarget(TT))
      return nullptr;
    TargetRequest Request;
    Request.CPU = CPU;
    return createTargetMachine(TT, Request);
  });
}

} // namespace

void runPasses(ModuleHandle &Handle, const std::string &Pipeline, const std::string &CPU) {
  auto TM = machineFor(Handle, CPU);
  Handle.use(
      "running passes", [&](Module &M) { return runPipeline(M, Pipeline, TM.get()); },
      /*IsDeep=*/true);
}

} // namespace dovetail
