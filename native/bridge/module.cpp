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

std::string toText(const SMDiagnostic &diagnostic) {
  std::string text;
  raw_string_ostream stream(text);
  diagnostic.print(/*ProgName=*/"", stream, /*ShowColors=*/false);
  return StringRef(text).rtrim().str();
}

void requireReadableNames(const llvm::Module &ir) {
  for (const GlobalValue &value : ir.global_values())
    readText(value.getName());
}

std::string missing(const char *kind, StringRef name, const llvm::Module &ir) {
  return (Twine("module '") + ir.getModuleIdentifier() + "' has no " + kind + " named '" + name +
          "'")
      .str();
}

} // namespace

ModuleHandle::~ModuleHandle() {
  std::lock_guard lock(owner->mutex());
  std::shared_lock inside(insideLLVM());
  if (owner->isPoisoned())
    (void)module.release(); // see ContextHandle::poison
  module.reset();
}

llvm::Module &ModuleHandle::ir() {
  if (!module)
    throw IRError("this module was linked into another one and is no longer usable");
  return *module;
}

std::unique_ptr<llvm::Module> ModuleHandle::take() {
  ir();
  return std::move(module);
}

ModulePtr parseModule(std::shared_ptr<ContextHandle> context, StringRef data,
                      const std::string &name) {
  // The text parser needs a zero byte at the end, which a copy is sure to have.
  auto buffer = MemoryBuffer::getMemBufferCopy(data, name);
  auto ir = guarded(*context, "parsing", [&] {
    SMDiagnostic diagnostic;
    auto parsed = parseIR(buffer->getMemBufferRef(), diagnostic, context->llvmContext());
    if (!parsed)
      throw IRError(toText(diagnostic));
    requireReadableNames(*parsed);
    return parsed;
  });
  return std::make_shared<ModuleHandle>(std::move(context), std::move(ir));
}

std::string moduleName(ModuleHandle &module) {
  return module.use("reading a module's name",
                    [](const llvm::Module &ir) { return ir.getModuleIdentifier(); });
}

Triple targetTriple(ModuleHandle &module) {
  return module.use("reading a module's triple",
                    [](const llvm::Module &ir) { return ir.getTargetTriple(); });
}

std::string printModule(ModuleHandle &module) {
  return module.use("printing", [](const llvm::Module &ir) {
    std::string text;
    raw_string_ostream stream(text);
    ir.print(stream, /*AAW=*/nullptr);
    return text;
  });
}

std::string writeBitcode(ModuleHandle &module) {
  return module.use("writing bitcode", [](const llvm::Module &ir) {
    SmallVector<char, 0> bytes;
    BitcodeWriter writer(bytes);
    writer.writeModule(ir);
    // No table of symbols behind it: linkers of object files read that, and can do without.
    writer.writeStrtab();
    return std::string(bytes.begin(), bytes.end());
  });
}

void verifyIR(const llvm::Module &ir) {
  std::string report;
  raw_string_ostream stream(report);
  if (llvm::verifyModule(ir, &stream))
    throw IRError(ir.getModuleIdentifier() + ": " + StringRef(report).rtrim().str());
}

void ModuleHandle::verify() {
  use("verifying", [this](const llvm::Module &ir) {
    if (!isVerified)
      verifyIR(ir);
    isVerified = true;
  });
}

void linkModules(ModuleHandle &destination, ModuleHandle &source) {
  if (&destination == &source)
    throw IRError("a module cannot be linked into itself");
  if (destination.context() != source.context())
    throw IRError("modules of different contexts cannot be linked");
  destination.use("linking", [&](llvm::Module &ir) {
    std::string names = source.ir().getModuleIdentifier() + " into " + ir.getModuleIdentifier();
    if (Linker::linkModules(ir, source.take())) {
      destination.context()->throwCollectedErrors();
      throw IRError("cannot link " + names);
    }
  });
}

Function &findFunction(llvm::Module &ir, StringRef name) {
  if (Function *function = ir.getFunction(name))
    return *function;
  throw IRError(missing("function", name, ir));
}

Function &findDefinition(llvm::Module &ir, StringRef name) {
  Function &function = findFunction(ir, name);
  if (function.isDeclaration())
    throw IRError(("function '" + name + "' has no body").str());
  return function;
}

GlobalVariable &findGlobalVariable(llvm::Module &ir, StringRef name) {
  if (GlobalVariable *variable = ir.getNamedGlobal(name))
    return *variable;
  throw IRError(missing("global variable", name, ir));
}

GlobalValue &findGlobalValue(llvm::Module &ir, StringRef name) {
  if (GlobalValue *value = ir.getNamedValue(name))
    return *value;
  throw IRError(missing("global value", name, ir));
}

std::string readText(StringRef text) {
  if (!json::isUTF8(text))
    throw IRError("'" + json::fixUTF8(text) + "' is not UTF-8");
  return text.str();
}

void requireFreeName(const llvm::Module &ir, StringRef name) {
  if (name.empty())
    throw IRError("a global cannot have an empty name");
  if (ir.getNamedValue(name))
    throw IRError(
        ("module '" + ir.getModuleIdentifier() + "' already has a global named '" + name + "'")
            .str());
}

Type *parseParameterType(const llvm::Module &ir, const std::string &text) {
  SMDiagnostic diagnostic;
  Type *type = parseType(text, diagnostic, ir);
  if (!type)
    throw IRError("'" + text + "' is not a type: " + diagnostic.getMessage().str());
  if (!FunctionType::isValidArgumentType(type))
    throw IRError("a parameter cannot have type " + text);
  return type;
}

} // namespace dovetail
