// A module's handle, and what concerns a module as a whole: reading, writing, checking, linking.
#pragma once

#include "context.h"
#include "extraction_index.h"
#include "guard.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>
#include <type_traits>

namespace dovetail {

/// Owns a module until another one takes it over. Keeps the context alive.
class ModuleHandle {
public:
  ModuleHandle(std::shared_ptr<ContextHandle> Context, std::unique_ptr<llvm::Module> M)
      : Owner(std::move(Context)), TheModule(std::move(M)) {}
  ~ModuleHandle();
  ModuleHandle(const ModuleHandle &) = delete;
  ModuleHandle &operator=(const ModuleHandle &) = delete;

  const std::shared_ptr<ContextHandle> &context() const { return Owner; }

  /// Runs `work` on the IR, guarded; all access from Python goes through here. Work that takes the
  /// IR as const leaves it as it is.
  template <typename Callable> auto use(const char *Step, Callable &&Work, bool IsDeep = false) {
    auto OnModule = [&] {
      if constexpr (!std::is_invocable_v<Callable, const llvm::Module &>)
        forgetWhatIsKnown();
      return Work(ir());
    };
    return guarded(*Owner, Step, OnModule, IsDeep);
  }

  /// The same for work that changes nothing, but calls what takes no const.
  template <typename Callable> auto look(const char *Step, Callable &&Work) {
    return guarded(*Owner, Step, [&] { return Work(ir()); });
  }

  /// The same for extraction, which changes nothing and needs the index.
  template <typename Callable> auto useIndexed(const char *Step, Callable &&Work) {
    return guarded(*Owner, Step, [&] { return Work(ir(), Index); });
  }

  /// Throws IRError with LLVM's report if the IR is not well-formed. What was so stays so until it
  /// changes: most passes have nothing to do in most modules.
  void verify();

  /// The IR; throws IRError once it has been taken. Only for code that runs guarded.
  llvm::Module &ir();
  std::unique_ptr<llvm::Module> take();

private:
  void forgetWhatIsKnown() {
    Index.forget();
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

/// Throws IRError with LLVM's report if the module is not well-formed.
void verifyIR(const llvm::Module &M);

/// Moves everything in `source` into `destination`. `source` is consumed, also when linking fails.
void linkModules(ModuleHandle &Destination, ModuleHandle &Source);

/// The named function or global value, or IRError.
llvm::Function &findFunction(llvm::Module &M, llvm::StringRef Name);
/// The same for a function with a body.
llvm::Function &findDefinition(llvm::Module &M, llvm::StringRef Name);
llvm::GlobalVariable &findGlobalVariable(llvm::Module &M, llvm::StringRef Name);
llvm::GlobalValue &findGlobalValue(llvm::Module &M, llvm::StringRef Name);

/// `text` for Python. LLVM takes any bytes as a name or string, Python only UTF-8, which is what
/// C++ front-ends write.
std::string readText(llvm::StringRef Text);

/// Throws IRError if the name is empty or the module has something of that name.
void requireFreeName(const llvm::Module &M, llvm::StringRef Name);

/// A parameter's type from its textual form, as in "ptr addrspace(1)".
llvm::Type *parseParameterType(const llvm::Module &M, const std::string &Text);

} // namespace dovetail
