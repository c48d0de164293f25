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
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    InitializeAllAsmParsers(); // for inline assembly
  });
}

namespace {

const Target *lookUp(const Triple &triple, std::string &error) {
  registerTargets();
  return TargetRegistry::lookupTarget(triple, error);
}

/// The option's syntax: "+A,+B".
std::string extensionList(const std::vector<std::string> &extensions) {
  std::vector<std::string> terms;
  for (const std::string &extension : extensions)
    terms.push_back("+" + extension);
  return join(terms, ",");
}

/// The back-end takes its extensions from a command-line option only, which it reads while a target
/// machine is made. The option is set anew each time, so earlier values leave no trace.
void setSpirvExtensions(const std::vector<std::string> &extensions) {
  auto &options = cl::getRegisteredOptions();
  auto option = options.find("spirv-ext");
  if (option == options.end())
    throw IRError("this LLVM's SPIR-V back-end has no --spirv-ext");
  option->second->reset();
  if (extensions.empty())
    return;
  std::string list = extensionList(extensions);
  if (option->second->addOccurrence(/*pos=*/0, "spirv-ext", list)) {
    option->second->reset();
    throw IRError("LLVM's SPIR-V back-end does not know all of these extensions: " +
                  join(extensions, ", "));
  }
}

} // namespace

std::unique_ptr<TargetMachine> createTargetMachine(const Triple &triple,
                                                   const TargetRequest &request) {
  std::string error;
  const Target *target = lookUp(triple, error);
  if (!target)
    throw IRError(error);
  auto level = CodeGenOpt::getLevel(request.optLevel);
  if (!level)
    throw IRError("there is no optimisation level " + std::to_string(request.optLevel));
  if (triple.isSPIRV())
    setSpirvExtensions(request.extensions);
  else if (!request.extensions.empty())
    throw IRError("extensions are for SPIR-V, not for " + triple.str());
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, request.cpu, request.features, TargetOptions(), Reloc::PIC_,
      /*CM=*/std::nullopt, *level));
  if (!machine)
    throw IRError("LLVM cannot generate code for " + triple.str());
  return machine;
}

bool isKnownTarget(const Triple &triple) {
  std::string error;
  return lookUp(triple, error) != nullptr;
}

std::vector<std::string> knownProcessors(const std::string &name) {
  Triple triple(Triple::normalize(name));
  std::string error;
  const Target *target = lookUp(triple, error);
  if (!target)
    throw IRError(error);
  std::unique_ptr<MCSubtargetInfo> info(target->createMCSubtargetInfo(triple, "", ""));
  std::vector<std::string> names;
  for (const SubtargetSubTypeKV &processor : info->getAllProcessorDescriptions())
    names.push_back(processor.Key);
  return names;
}

std::unique_lock<std::mutex> lockBackEnd(const Triple &triple) {
  static std::mutex spirv;
  return triple.isSPIRV() ? std::unique_lock(spirv) : std::unique_lock<std::mutex>();
}

} // namespace dovetail
