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
PipelineTuningOptions tuningFor(const Triple &TT) {
  PipelineTuningOptions Options;
  if (TT.isSPIRV())
    Options.LoopVectorization = Options.LoopInterleaving = Options.SLPVectorization = false;
  return Options;
}

} // namespace

void runPipeline(Module &M, const std::string &Pipeline, TargetMachine *TM) {
  // In this order: the managers refer to each other, and the inner ones must go first.
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
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);

  ModulePassManager MPM;
  if (Error Err = PB.parsePassPipeline(MPM, Pipeline))
    throw IRError(toString(std::move(Err)));
  MPM.run(M, MAM);
}

namespace {

/// The machine for the module's target; none if LLVM does not have it.
std::unique_ptr<TargetMachine> machineFor(ModuleHandle &Handle, const std::string &CPU) {
  Triple TT = targetTriple(Handle);
  auto BackEnd = lockBackEnd(TT);
  return Handle.look("preparing passes", [&](Module &) -> std::unique_ptr<TargetMachine> {
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
      "running passes", [&](Module &M) { runPipeline(M, Pipeline, TM.get()); },
      /*isDeep=*/true);
}

} // namespace dovetail
