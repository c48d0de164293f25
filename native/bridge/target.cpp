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

Expected<const Target *> lookUp(const Triple &TT) {
  registerTargets();
  std::string Message;
  if (const Target *T = TargetRegistry::lookupTarget(TT, Message))
    return T;
  return createStringError(Message);
}

/// Returns the extensions in the option's syntax: "+A,+B".
std::string extensionList(const std::vector<std::string> &Extensions) {
  auto Terms = map_range(Extensions, [](const std::string &Name) { return "+" + Name; });
  return join(Terms, ",");
}

/// Sets the back-end's command-line option for extensions, which it reads when a target machine is
/// created. The option is always reset, so earlier values have no effect.
Error setSPIRVExtensions(const std::vector<std::string> &Extensions) {
  auto &Options = cl::getRegisteredOptions();
  auto Option = Options.find("spirv-ext");
  if (Option == Options.end())
    return createStringError("this LLVM's SPIR-V back-end has no --spirv-ext");
  Option->second->reset();
  if (Extensions.empty())
    return Error::success();
  std::string List = extensionList(Extensions);
  if (Option->second->addOccurrence(/*pos=*/0, "spirv-ext", List)) {
    Option->second->reset();
    return createStringError("LLVM's SPIR-V back-end does not know all of these extensions: " +
                             join(Extensions, ", "));
  }
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<TargetMachine>> createTargetMachine(const Triple &TT,
                                                             const TargetRequest &Request) {
  Expected<const Target *> T = lookUp(TT);
  if (!T)
    return T.takeError();
  auto OptLevel = CodeGenOpt::getLevel(static_cast<int>(Request.OptLevel));
  if (!OptLevel)
    return createStringError("there is no optimisation level " + Twine(Request.OptLevel));
  if (TT.isSPIRV()) {
    if (Error Err = setSPIRVExtensions(Request.Extensions))
      return std::move(Err);
  } else if (!Request.Extensions.empty()) {
    return createStringError("extensions are for SPIR-V, not for " + TT.str());
  }
  std::unique_ptr<TargetMachine> TM((*T)->createTargetMachine(TT, Request.CPU, Request.Features,
                                                              TargetOptions(), Reloc::PIC_,
                                                              /*CM=*/std::nullopt, *OptLevel));
  if (!TM)
    return createStringError("LLVM cannot generate code for " + TT.str());
  return TM;
}

bool isKnownTarget(const Triple &TT) {
  Expected<const Target *> T = lookUp(TT);
  return T ? true : (consumeError(T.takeError()), false);
}

std::vector<std::string> knownProcessors(const std::string &TripleName) {
  Triple TT(Triple::normalize(TripleName));
  const Target *T = valueOrThrow(lookUp(TT));
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
