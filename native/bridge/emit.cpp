#include "emit.h"

#include "child.h"
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

/// Sets the module's target to the machine's, whatever it was compiled for.
void retarget(Module &M, TargetMachine &TM) {
  M.setTargetTriple(TM.getTargetTriple());
  M.setDataLayout(TM.createDataLayout());
}

Expected<std::unique_ptr<Module>> openLibrary(const std::string &Library, LLVMContext &Context) {
  SMDiagnostic Diag;
  // Functions are read when they are linked, so the size of a library does not matter.
  auto LibraryModule = getLazyIRModule(MemoryBuffer::getMemBuffer(Library), Diag, Context);
  if (!LibraryModule)
    return createStringError("cannot read a library: " + Diag.getMessage());
  // What it records about itself, such as its language, does not apply to the module.
  for (NamedMDNode &List : make_early_inc_range(LibraryModule->named_metadata()))
    if (&List != LibraryModule->getModuleFlagsMetadata())
      LibraryModule->eraseNamedMetadata(&List);
  return LibraryModule;
}

Error linkNeeded(Module &M, const std::string &Library, TargetMachine &TM) {
  auto LibraryModule = openLibrary(Library, M.getContext());
  if (!LibraryModule)
    return LibraryModule.takeError();
  retarget(**LibraryModule, TM);
  auto Hide = [](Module &Linked, const StringSet<> &Names) {
    internalizeModule(Linked, [&](const GlobalValue &GV) {
      return !GV.hasName() || !Names.contains(GV.getName());
    });
  };
  if (Linker::linkModules(M, std::move(*LibraryModule), Linker::Flags::LinkOnlyNeeded, Hide))
    return createStringError("cannot link a library");
  return Error::success();
}

/// Removes the processor that functions were compiled for. The machine determines it now, and LLVM
/// does not inline functions for different processors into each other.
void removeProcessors(Module &M) {
  for (Function &F : M)
    for (const char *Key : {"target-cpu", "target-features", "tune-cpu"})
      F.removeFnAttr(Key);
}

Expected<GlobalValue::VisibilityTypes> parseVisibility(const std::string &Name) {
  if (Name == "protected")
    return GlobalValue::ProtectedVisibility;
  if (Name == "hidden")
    return GlobalValue::HiddenVisibility;
  return createStringError("there is no visibility '" + Name + "'");
}

Error setVisibility(Module &M, const std::string &Name) {
  Expected<GlobalValue::VisibilityTypes> Visibility = parseVisibility(Name);
  if (!Visibility)
    return Visibility.takeError();
  for (GlobalValue &GV : M.global_values())
    if (!GV.isDeclaration() && !GV.hasLocalLinkage())
      GV.setVisibility(*Visibility);
  return Error::success();
}

Error prepare(Module &M, TargetMachine &TM, const Preparation &Prep) {
  if (Error Err = changeFunctionAttributes(M, Prep.Attrs))
    return Err;
  for (const std::string &Library : Prep.Libraries)
    if (Error Err = linkNeeded(M, Library, TM))
      return Err;
  if (!TM.getTargetCPU().empty())
    removeProcessors(M);
  if (!Prep.Visibility.empty())
    if (Error Err = setVisibility(M, Prep.Visibility))
      return Err;
  if (Prep.Passes.empty())
    return Error::success();
  return runPipeline(M, Prep.Passes, &TM);
}

Expected<std::string> generate(Module &M, TargetMachine &TM, bool IsAssembly) {
  SmallString<0> Code;
  raw_svector_ostream OS(Code);
  legacy::PassManager PM;
  auto FileType = IsAssembly ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile;
  if (TM.addPassesToEmitFile(PM, OS, /*DwoOut=*/nullptr, FileType))
    return createStringError("LLVM has no such output for " + TM.getTargetTriple().str());
  PM.run(M);
  return Code.str().str();
}

} // namespace

std::string emitCode(ModuleHandle &Handle, const std::string &TripleName,
                     const TargetRequest &Request, const Preparation &Prep, bool IsAssembly) {
  Triple TT = TripleName.empty() ? targetTriple(Handle) : Triple(Triple::normalize(TripleName));
  registerTargets(); // once here, not in every child
  return runInChild(*Handle.context(), "generating code", [&]() -> Expected<std::string> {
    Expected<Module &> M = Handle.module();
    if (!M)
      return M.takeError();
    if (Error Err = verifyIR(*M)) // back-ends crash on invalid IR
      return std::move(Err);
    auto TM = createTargetMachine(TT, Request);
    if (!TM)
      return TM.takeError();
    retarget(*M, **TM);
    if (Error Err = prepare(*M, **TM, Prep))
      return std::move(Err);
    return generate(*M, **TM, IsAssembly);
  });
}

} // namespace dovetail
