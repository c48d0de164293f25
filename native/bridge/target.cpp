#include "target.h"

#include "errors.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"

namespace dovetail {

using namespace llvm;

void registerTargets() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    InitializeAllAsmParsers(); // for inline assembly
  });
}

namespace {

const Target *lookUp(const Triple &TT, std::string &Err) {
  registerTargets();
  return TargetRegistry::lookupTarget(TT, Err);
}

/// The option's syntax: "+A,+B".
std::string extensionList(const std::vector<std::string> &Extensions) {
  std::vector<std::string> Terms;
  for (const std::string &Extension : Extensions)
    Terms.push_back("+" + Extension);
  return join(Terms, ",");
}

/// The back-end takes its extensions from a command-line option only, which it reads while a target
/// machine is made. The option is set anew each time, so earlier values leave no trace.
void setSpirvExtensions(const std::vector<std::string> &Extensions) {
  auto &Options = cl::getRegisteredOptions();
  auto Option = Options.find("spirv-ext");
  if (Option == Options.end())
    throw IRError("this LLVM's SPIR-V back-end has no --spirv-ext");
  Option->second->reset();
  if (Extensions.empty())
    return;
  std::string List = extensionList(Extensions);
  if (Option->second->addOccurrence(/*pos=*/0, "spirv-ext", List)) {
    Option->second->reset();
    throw IRError("LLVM's SPIR-V back-end does not know all of these extensions: " +
                  join(Extensions, ", "));
  }
}

} // namespace

std::unique_ptr<TargetMachine> createTargetMachine(const Triple &TT, const TargetRequest &Request) {
  std::string Err;
  const Target *T = lookUp(TT, Err);
  if (!T)
    throw IRError(Err);
  auto OptLevel = CodeGenOpt::getLevel(Request.OptLevel);
  if (!OptLevel)
    throw IRError("there is no optimisation level " + std::to_string(Request.OptLevel));
  if (TT.isSPIRV())
    setSpirvExtensions(Request.Extensions);
  else if (!Request.Extensions.empty())
    throw IRError("extensions are for SPIR-V, not for " + TT.str());
  std::unique_ptr<TargetMachine> TM(T->createTargetMachine(TT, Request.CPU, Request.Features,
                                                           TargetOptions(), Reloc::PIC_,
                                                           /*CM=*/std::nullopt, *OptLevel));
  if (!TM)
    throw IRError("LLVM cannot generate code for " + TT.str());
  return TM;
}

bool isKnownTarget(const Triple &TT) {
  std::string Err;
  return lookUp(TT, Err) != nullptr;
}

std::vector<std::string> knownProcessors(const std::string &Name) {
  Triple TT(Triple::normalize(Name));
  std::string Err;
  const Target *T = lookUp(TT, Err);
  if (!T)
    throw IRError(Err);
  std::unique_ptr<MCSubtargetInfo> STI(T->createMCSubtargetInfo(TT, "", ""));
  std::vector<std::string> Names;
  for (const SubtargetSubTypeKV &Processor : STI->getAllProcessorDescriptions())
    Names.push_back(Processor.Key);
  return Names;
}

std::unique_lock<std::mutex> lockBackEnd(const Triple &TT) {
  static std::mutex SPIRVMutex;
  return TT.isSPIRV() ? std::unique_lock(SPIRVMutex) : std::unique_lock<std::mutex>();
}

} // namespace dovetail
