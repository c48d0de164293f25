#include "emit.h"

#include "child.h"
#include "errors.h"
#include "module.h"
#include "passes.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/IPO/Internalize.h"

namespace dovetail {

using namespace llvm;

namespace {

/// What the machine generates code for, the module is for, whatever it was compiled for.
void retarget(llvm::Module &ir, TargetMachine &machine) {
  ir.setTargetTriple(machine.getTargetTriple());
  ir.setDataLayout(machine.createDataLayout());
}

std::unique_ptr<llvm::Module> openLibrary(const std::string &library, LLVMContext &context) {
  SMDiagnostic diagnostic;
  // Functions are read when they are linked, so that the size of a library costs nothing.
  auto opened = getLazyIRModule(MemoryBuffer::getMemBuffer(library), diagnostic, context);
  if (!opened)
    throw IRError("cannot read a library: " + diagnostic.getMessage().str());
  // What it says of itself, such as its language, is not true of who uses it.
  for (NamedMDNode &list : make_early_inc_range(opened->named_metadata()))
    if (&list != opened->getModuleFlagsMetadata())
      opened->eraseNamedMetadata(&list);
  return opened;
}

void linkNeeded(llvm::Module &ir, const std::string &library, TargetMachine &machine) {
  auto opened = openLibrary(library, ir.getContext());
  retarget(*opened, machine);
  auto hide = [](llvm::Module &linked, const StringSet<> &names) {
    internalizeModule(linked, [&](const GlobalValue &value) {
      return !value.hasName() || !names.contains(value.getName());
    });
  };
  if (Linker::linkModules(ir, std::move(opened), Linker::Flags::LinkOnlyNeeded, hide))
    throw IRError("cannot link a library");
}

/// Functions say which processor they were compiled for. That is the machine's now, and functions
/// for different ones are not inlined into each other.
void forgetProcessors(llvm::Module &ir) {
  for (Function &function : ir)
    for (const char *key : {"target-cpu", "target-features", "tune-cpu"})
      function.removeFnAttr(key);
}

GlobalValue::VisibilityTypes parseVisibility(const std::string &name) {
  if (name == "protected")
    return GlobalValue::ProtectedVisibility;
  if (name == "hidden")
    return GlobalValue::HiddenVisibility;
  throw IRError("there is no visibility '" + name + "'");
}

void setVisibility(llvm::Module &ir, GlobalValue::VisibilityTypes visibility) {
  for (GlobalValue &value : ir.global_values())
    if (!value.isDeclaration() && !value.hasLocalLinkage())
      value.setVisibility(visibility);
}

void prepare(llvm::Module &ir, TargetMachine &machine, const Preparation &wanted) {
  changeFunctionAttributes(ir, wanted.attributes);
  for (const std::string &library : wanted.libraries)
    linkNeeded(ir, library, machine);
  if (!machine.getTargetCPU().empty())
    forgetProcessors(ir);
  if (!wanted.visibility.empty())
    setVisibility(ir, parseVisibility(wanted.visibility));
  if (!wanted.passes.empty())
    runPipeline(ir, wanted.passes, &machine);
}

std::string generate(llvm::Module &ir, TargetMachine &machine, bool assembly) {
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
                     const Preparation &preparation, bool assembly) {
  Triple target = triple.empty() ? targetTriple(module) : Triple(Triple::normalize(triple));
  registerTargets(); // once here, rather than in every child
  return runInChild(*module.context(), "generating code", [&] {
    llvm::Module &ir = module.ir();
    verifyIR(ir); // back-ends take broken IR for granted and crash
    auto machine = createTargetMachine(target, request);
    retarget(ir, *machine);
    prepare(ir, *machine, preparation);
    return generate(ir, *machine, assembly);
  });
}

} // namespace dovetail
