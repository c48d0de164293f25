#include "emit.h"

#include "errors.h"
#include "module.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace dovetail {

using namespace llvm;

namespace {

std::string generate(const llvm::Module &ir, TargetMachine &machine, bool assembly) {
  verifyIR(ir);                // back-ends take broken IR for granted and crash
  auto copy = CloneModule(ir); // code generation rewrites what it is given
  copy->setTargetTriple(machine.getTargetTriple());
  copy->setDataLayout(machine.createDataLayout());

  SmallString<0> code;
  raw_svector_ostream stream(code);
  legacy::PassManager passes;
  auto fileType = assembly ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr, fileType))
    throw IRError("LLVM has no such output for " + machine.getTargetTriple().str());
  passes.run(*copy);
  return code.str().str();
}

} // namespace

std::string emitCode(ModuleHandle &module, const std::string &triple, const TargetRequest &request,
                     bool assembly) {
  Triple target = triple.empty() ? targetTriple(module) : Triple(Triple::normalize(triple));
  auto backEnd = lockBackEnd(target);
  return module.use("generating code", [&](llvm::Module &ir) {
    auto machine = createTargetMachine(target, request);
    return generate(ir, *machine, assembly);
  });
}

} // namespace dovetail
