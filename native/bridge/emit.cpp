#include "emit.h"

#include "child.h"
#include "errors.h"
#include "module.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Code generation rewrites the module that it is given.
std::string generate(llvm::Module &ir, TargetMachine &machine, bool assembly) {
  verifyIR(ir); // back-ends take broken IR for granted and crash
  ir.setTargetTriple(machine.getTargetTriple());
  ir.setDataLayout(machine.createDataLayout());

  SmallString<0> code;
  raw_svector_ostream stream(code);
  legacy::PassManager passes;
  auto fileType = assembly ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, stream, /*DwoOut=*/nullptr, fileType))
    throw IRError("LLVM has no such output for " + machine.getTargetTriple().str());
  passes.run(ir);
  return code.str().str();
}

} // namespace

std::string emitCode(ModuleHandle &module, const std::string &triple, const TargetRequest &request,
                     bool assembly) {
  Triple target = triple.empty() ? targetTriple(module) : Triple(Triple::normalize(triple));
  registerTargets(); // once here, rather than in every child
  return runInChild(*module.context(), "generating code", [&] {
    auto machine = createTargetMachine(target, request);
    return generate(module.ir(), *machine, assembly);
  });
}

} // namespace dovetail
