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
void retarget(Module &M, TargetMachine &TM) {
  M.setTargetTriple(TM.getTargetTriple());
  M.setDataLayout(TM.createDataLayout());
}

std::unique_ptr<Module> openLibrary(const std::string &Library, LLVMContext &Context) {
  SMDiagnostic Diag;
  // Functions are read when they are linked, so that the size of a library costs nothing.
  auto LibraryModule = getLazyIRModule(MemoryBuffer::getMemBuffer(Library), Diag, Context);
  if (!LibraryModule)
    throw IRError("cannot read a library: " + Diag.getMessage().str());
  // What it says of itself, such as its language, is not true of who uses it.
  for (NamedMDNode &List : make_early_inc_range(LibraryModule->named_metadata()))
    if (&List != LibraryModule->getModuleFlagsMetadata())
      LibraryModule->eraseNamedMetadata(&List);
  return LibraryModule;
}

void linkNeeded(Module &M, const std::string &Library, TargetMachine &TM) {
  auto LibraryModule = openLibrary(Library, M.getContext());
  retarget(*LibraryModule, TM);
  auto Hide = [](Module &Linked, const StringSet<> &Names) {
    internalizeModule(Linked, [&](const GlobalValue &GV) {
      return !GV.hasName() || !Names.contains(GV.getName());
    });
  };
  if (Linker::linkModules(M, std::move(LibraryModule), Linker::Flags::LinkOnlyNeeded, Hide))
    throw IRError("cannot link a library");
}

/// Functions say which processor they were compiled for. That is the machine's now, and functions
/// for different ones are not inlined into each other.
void forgetProcessors(Module &M) {
  for (Function &F : M)
    for (const char *Key : {"target-cpu", "target-features", "tune-cpu"})
      F.removeFnAttr(Key);
}

GlobalValue::VisibilityTypes parseVisibility(const std::string &Name) {
  if (Name == "protected")
    return GlobalValue::ProtectedVisibility;
  if (Name == "hidden")
    return GlobalValue::HiddenVisibility;
  throw IRError("there is no visibility '" + Name + "'");
}

void setVisibility(Module &M, GlobalValue::VisibilityTypes Visibility) {
  for (GlobalValue &GV : M.global_values())
    if (!GV.isDeclaration() && !GV.hasLocalLinkage())
      GV.setVisibility(Visibility);
}

void prepare(Module &M, TargetMachine &TM, const Preparation &Prep) {
  changeFunctionAttributes(M, Prep.Attrs);
  for (const std::string &Library : Prep.Libraries)
    linkNeeded(M, Library, TM);
  if (!TM.getTargetCPU().empty())
    forgetProcessors(M);
  if (!Prep.Visibility.empty())
    setVisibility(M, parseVisibility(Prep.Visibility));
  if (!Prep.Passes.empty())
    runPipeline(M, Prep.Passes, &TM);
}

std::string generate(Module &M, TargetMachine &TM, bool Assembly) {
  SmallString<0> Code;
  raw_svector_ostream OS(Code);
  legacy::PassManager PM;
  auto FileType = Assembly ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile;
  if (TM.addPassesToEmitFile(PM, OS, /*DwoOut=*/nullptr, FileType))
    throw IRError("LLVM has no such output for " + TM.getTargetTriple().str());
  PM.run(M);
  return Code.str().str();
}

} // namespace

std::string emitCode(ModuleHandle &Handle, const std::string &TripleName,
                     const TargetRequest &Request, const Preparation &Prep, bool Assembly) {
  Triple TT = TripleName.empty() ? targetTriple(Handle) : Triple(Triple::normalize(TripleName));
  registerTargets(); // once here, rather than in every child
  return runInChild(*Handle.context(), "generating code", [&] {
    Module &M = Handle.ir();
    verifyIR(M); // back-ends take broken IR for granted and crash
    auto TM = createTargetMachine(TT, Request);
    retarget(M, *TM);
    prepare(M, *TM, Prep);
    return generate(M, *TM, Assembly);
  });
}

} // namespace dovetail
