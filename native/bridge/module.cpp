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

Error checkNamesAreText(const Module &M) {
  for (const GlobalValue &GV : M.global_values())
    if (Expected<std::string> Name = readText(GV.getName()); !Name)
      return Name.takeError();
  return Error::success();
}

Error missing(const char *Kind, StringRef Name, const Module &M) {
  return createStringError(Twine("module '") + M.getModuleIdentifier() + "' has no " + Kind +
                           " named '" + Name + "'");
}

} // namespace

ModuleHandle::~ModuleHandle() {
  std::lock_guard Lock(Owner->mutex());
  std::shared_lock LLVMLock(insideLLVM());
  if (Owner->isPoisoned())
    (void)TheModule.release(); // NOLINT(bugprone-unused-return-value): see ContextHandle::poison
  TheModule.reset();
}

Expected<Module &> ModuleHandle::module() {
  if (!TheModule)
    return createStringError("this module was linked into another one and is no longer usable");
  return *TheModule;
}

Expected<std::unique_ptr<Module>> ModuleHandle::take() {
  if (Expected<Module &> M = module(); !M)
    return M.takeError();
  return std::move(TheModule);
}

ModulePtr parseModule(std::shared_ptr<ContextHandle> Context, StringRef Data,
                      const std::string &Name) {
  // The text parser needs a null terminator, which a copy always has.
  auto Buffer = MemoryBuffer::getMemBufferCopy(Data, Name);
  auto M = guarded(*Context, "parsing", [&]() -> Expected<std::unique_ptr<Module>> {
    SMDiagnostic Diag;
    auto Parsed = parseIR(Buffer->getMemBufferRef(), Diag, Context->llvmContext());
    if (!Parsed)
      return createStringError(toText(Diag));
    if (Error Err = checkNamesAreText(*Parsed))
      return std::move(Err);
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
    // Without a symbol table: only linkers of object files read it, and it is optional.
    Writer.writeStrtab();
    return std::string(Buffer.begin(), Buffer.end());
  });
}

Error verifyIR(const Module &M) {
  std::string Report;
  raw_string_ostream OS(Report);
  if (llvm::verifyModule(M, &OS))
    return createStringError(M.getModuleIdentifier() + ": " + StringRef(Report).rtrim());
  return Error::success();
}

void ModuleHandle::verify() {
  use("verifying", [this](const Module &M) -> Error {
    if (IsVerified)
      return Error::success();
    Error Err = verifyIR(M);
    IsVerified = !Err;
    return Err;
  });
}

void linkModules(ModuleHandle &Destination, ModuleHandle &Source) {
  if (&Destination == &Source)
    throw IRError("a module cannot be linked into itself");
  if (Destination.context() != Source.context())
    throw IRError("modules of different contexts cannot be linked");
  Destination.use("linking", [&](Module &M) -> Error {
    Expected<std::unique_ptr<Module>> Linked = Source.take();
    if (!Linked)
      return Linked.takeError();
    std::string Names = (*Linked)->getModuleIdentifier() + " into " + M.getModuleIdentifier();
    if (!Linker::linkModules(M, std::move(*Linked)))
      return Error::success();
    if (Error Err = Destination.context()->takeErrors())
      return Err;
    return createStringError("cannot link " + Names);
  });
}

Expected<Function &> findFunction(Module &M, StringRef Name) {
  if (Function *F = M.getFunction(Name))
    return *F;
  return missing("function", Name, M);
}

Expected<Function &> findDefinition(Module &M, StringRef Name) {
  Expected<Function &> F = findFunction(M, Name);
  if (F && F->isDeclaration())
    return createStringError("function '" + Name + "' has no body");
  return F;
}

Expected<GlobalVariable &> findGlobalVariable(Module &M, StringRef Name) {
  if (GlobalVariable *Variable = M.getNamedGlobal(Name))
    return *Variable;
  return missing("global variable", Name, M);
}

Expected<GlobalValue &> findGlobalValue(Module &M, StringRef Name) {
  if (GlobalValue *GV = M.getNamedValue(Name))
    return *GV;
  return missing("global value", Name, M);
}

Expected<std::string> readText(StringRef Text) {
  if (!json::isUTF8(Text))
    return createStringError("'" + json::fixUTF8(Text) + "' is not UTF-8");
  return Text.str();
}

Error checkNameIsFree(const Module &M, StringRef Name) {
  if (Name.empty())
    return createStringError("a global cannot have an empty name");
  if (M.getNamedValue(Name))
    return createStringError("module '" + M.getModuleIdentifier() +
                             "' already has a global named '" + Name + "'");
  return Error::success();
}

Expected<Type *> parseParameterType(const Module &M, const std::string &Text) {
  SMDiagnostic Diag;
  Type *Ty = parseType(Text, Diag, M);
  if (!Ty)
    return createStringError("'" + Text + "' is not a type: " + Diag.getMessage());
  if (!FunctionType::isValidArgumentType(Ty))
    return createStringError("a parameter cannot have type " + Text);
  return Ty;
}

} // namespace dovetail
