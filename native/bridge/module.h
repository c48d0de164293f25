// A module's handle, and operations on whole modules: reading, writing, verifying, linking.
#pragma once

#include "context.h"
#include "extraction_index.h"
#include "guard.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <type_traits>

namespace dovetail {

/// Owns a module until it is linked into another one. Keeps the context alive.
class ModuleHandle {
public:
  ModuleHandle(std::shared_ptr<ContextHandle> Context, std::unique_ptr<llvm::Module> M)
      : Owner(std::move(Context)), TheModule(std::move(M)) {}
  ~ModuleHandle();
  ModuleHandle(const ModuleHandle &) = delete;
  ModuleHandle &operator=(const ModuleHandle &) = delete;

  const std::shared_ptr<ContextHandle> &context() const { return Owner; }

  /// Runs `Work` on the module, guarded. All access from Python uses this function or one of the
  /// next two. Work that accepts a const module does not change it.
  template <typename Callable> auto use(const char *Step, Callable &&Work, bool IsDeep = false) {
    auto OnModule = [&] {
      if constexpr (!std::is_invocable_v<Callable, const llvm::Module &>)
        invalidate();
      return Work(*TheModule);
    };
    return run(Step, OnModule, IsDeep);
  }

  /// use() for work that changes nothing but calls functions that need a non-const module.
  template <typename Callable> auto look(const char *Step, Callable &&Work) {
    return run(Step, [&] { return Work(*TheModule); });
  }

  /// use() for extraction, which changes nothing and needs the index.
  template <typename Callable> auto useIndexed(const char *Step, Callable &&Work) {
    return run(Step, [&] { return Work(*TheModule, Index); });
  }

  /// Throws an IRError with LLVM's report if the IR is not well-formed. A positive result is
  /// remembered until the module changes, because most passes do nothing in most modules.
  void verify();

  /// Returns the module, or an error if it has been taken. Only for guarded code.
  llvm::Expected<llvm::Module &> module();
  llvm::Expected<std::unique_ptr<llvm::Module>> take();

private:
  template <typename Callable> auto run(const char *Step, Callable &&Work, bool IsDeep = false) {
    auto IfAvailable = [&]() -> decltype(callFallible(Work)) {
      llvm::Expected<llvm::Module &> M = module();
      if (!M)
        return M.takeError();
      return callFallible(Work);
    };
    return guarded(*Owner, Step, IfAvailable, IsDeep);
  }

  void invalidate() {
    Index.clear();
    IsVerified = false;
  }

  std::shared_ptr<ContextHandle> Owner;
  std::unique_ptr<llvm::Module> TheModule;
  ExtractionIndex Index;
  bool IsVerified = false;
};

using ModulePtr = std::shared_ptr<ModuleHandle>;

/// Reads textual IR or bitcode.
ModulePtr parseModule(std::shared_ptr<ContextHandle> Context, llvm::StringRef Data,
                      const std::string &Name);

std::string moduleName(ModuleHandle &Handle);
llvm::Triple targetTriple(ModuleHandle &Handle);
std::string printModule(ModuleHandle &Handle);
std::string writeBitcode(ModuleHandle &Handle);

/// Returns LLVM's report as an error if the module is not well-formed.
llvm::Error verifyIR(const llvm::Module &M);

/// Moves everything in `Source` into `Destination`. `Source` is consumed even if linking fails.
void linkModules(ModuleHandle &Destination, ModuleHandle &Source);

/// These return the named function or global, or an error.
llvm::Expected<llvm::Function &> findFunction(llvm::Module &M, llvm::StringRef Name);
/// A function with a body.
llvm::Expected<llvm::Function &> findDefinition(llvm::Module &M, llvm::StringRef Name);
llvm::Expected<llvm::GlobalVariable &> findGlobalVariable(llvm::Module &M, llvm::StringRef Name);
llvm::Expected<llvm::GlobalValue &> findGlobalValue(llvm::Module &M, llvm::StringRef Name);

/// Returns `Text`, or an error if it is not UTF-8. LLVM accepts any bytes in names and strings;
/// Python accepts only UTF-8, which C++ front-ends write.
llvm::Expected<std::string> readText(llvm::StringRef Text);

/// Returns an error if the name is empty or the module has a global of that name.
llvm::Error checkNameIsFree(const llvm::Module &M, llvm::StringRef Name);

/// Parses the type of a parameter, such as "ptr addrspace(1)".
llvm::Expected<llvm::Type *> parseParameterType(const llvm::Module &M, const std::string &Text);

} // namespace dovetail
