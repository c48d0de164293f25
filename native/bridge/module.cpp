#include "module.h"

#include "child.h"
#include "errors.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace dovetail {

using namespace llvm;

namespace {

std::string toText(const SMDiagnostic &Diag) {
  std::string Text;
  raw_string_ostream OS(Text);
  Diag.print(/*ProgName=*/"", OS, /*ShowColors=*/false);
  return StringRef(Text).rtrim().str();
}

void requireReadableNames(const Module &M) {
  for (const GlobalValue &GV : M.global_values())
    readText(GV.getName());
}

std::string missing(const char *Kind, StringRef Name, const Module &M) {
  return (Twine("module '") + M.getModuleIdentifier() + "' has no " + Kind + " named '" + Name +
          "'")
      .str();
}

} // namespace

ModuleHandle::~ModuleHandle() {
  std::lock_guard Lock(Owner->mutex());
  std::shared_lock LLVMLock(insideLLVM());
  if (Owner->isPoisoned())
    (void)TheModule.release(); // see ContextHandle::poison
  TheModule.reset();
}

Module &ModuleHandle::ir() {
  if (!TheModule)
    throw IRError("this module was linked into another one and is no longer usable");
  return *TheModule;
}

std::unique_ptr<Module> ModuleHandle::take() {
  ir();
  return std::move(TheModule);
}

ModulePtr parseModule(std::shared_ptr<ContextHandle> Context, StringRef Data,
                      const std::string &Name) {
  // The text parser needs a zero byte at the end, which a copy is sure to have.
  auto Buffer = MemoryBuffer::getMemBufferCopy(Data, Name);
  auto M = guarded(*Context, "parsing", [&] {
    SMDiagnostic Diag;
    auto Parsed = parseIR(Buffer->getMemBufferRef(), Diag, Context->llvmContext());
    if (!Parsed)
      throw IRError(toText(Diag));
    requireReadableNames(*Parsed);
    return Parsed;
  });
  return std::make_shared<ModuleHandle>(std::move(Context), std::move(M));
}

std::string moduleName(ModuleHandle &Handle) {
  return Handle.use("reading a module's name",
                    [](const Module &M) { return M.getModuleIdentifier(); });
}

Triple targetTriple(ModuleHandle &Handle) {
  return Handle.use("reading a module's triple",
                    [](const Module &M) { return M.getTargetTriple(); });
}

std::string printModule(ModuleHandle &Handle) {
  return Handle.use("printing", [](const Module &M) {
    std::string Text;
    raw_string_ostream OS(Text);
    M.print(OS, /*AAW=*/nullptr);
    return Text;
  });
}

std::string writeBitcode(ModuleHandle &Handle) {
  return Handle.use("writing bitcode", [](const Module &M) {
    SmallVector<char, 0> Buffer;
    BitcodeWriter Writer(Buffer);
    Writer.writeModule(M);
    // No table of symbols behind it: linkers of object files read that, and can do without.
    Writer.writeStrtab();
    return std::string(Buffer.begin(), Buffer.end());
  });
}

void verifyIR(const Module &M) {
  std::string Report;
  raw_string_ostream OS(Report);
  if (llvm::verifyModule(M, &OS))
    throw IRError(M.getModuleIdentifier() + ": " + StringRef(Report).rtrim().str());
}

void ModuleHandle::verify() {
  use("verifying", [this](const Module &M) {
    if (!IsVerified)
      verifyIR(M);
    IsVerified = true;
  });
}

void linkModules(ModuleHandle &Destination, ModuleHandle &Source) {
  if (&Destination == &Source)
    throw IRError("a module cannot be linked into itself");
  if (Destination.context() != Source.context())
    throw IRError("modules of different contexts cannot be linked");
  Destination.use("linking", [&](Module &M) {
    std::string Names = Source.ir().getModuleIdentifier() + " into " + M.getModuleIdentifier();
    if (Linker::linkModules(M, Source.take())) {
      Destination.context()->throwCollectedErrors();
      throw IRError("cannot link " + Names);
    }
  });
}

Function &findFunction(Module &M, StringRef Name) {
  if (Function *F = M.getFunction(Name))
    return *F;
  throw IRError(missing("function", Name, M));
}

Function &findDefinition(Module &M, StringRef Name) {
  Function &F = findFunction(M, Name);
  if (F.isDeclaration())
    throw IRError(("function '" + Name + "' has no body").str());
  return F;
}

GlobalVariable &findGlobalVariable(Module &M, StringRef Name) {
  if (GlobalVariable *Variable = M.getNamedGlobal(Name))
    return *Variable;
  throw IRError(missing("global variable", Name, M));
}

GlobalValue &findGlobalValue(Module &M, StringRef Name) {
  if (GlobalValue *GV = M.getNamedValue(Name))
    return *GV;
  throw IRError(missing("global value", Name, M));
}

std::string readText(StringRef Text) {
  if (!json::isUTF8(Text))
    throw IRError("'" + json::fixUTF8(Text) + "' is not UTF-8");
  return Text.str();
}

void requireFreeName(const Module &M, StringRef Name) {
  if (Name.empty())
    throw IRError("a global cannot have an empty name");
  if (M.getNamedValue(Name))
    throw IRError(
        ("module '" + M.getModuleIdentifier() + "' already has a global named '" + Name + "'")
            .str());
}

Type *parseParameterType(const Module &M, const std::string &Text) {
  SMDiagnostic Diag;
  Type *Ty = parseType(Text, Diag, M);
  if (!Ty)
    throw IRError("'" + Text + "' is not a type: " + Diag.getMessage().str());
  if (!FunctionType::isValidArgumentType(Ty))
    throw IRError("a parameter cannot have type " + Text);
  return Ty;
}

} // namespace dovetail
