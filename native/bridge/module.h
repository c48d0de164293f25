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
  ModuleHandle(std::shared_ptr<ContextHandle> context, std::unique_ptr<llvm::Module> ir)
      : owner(std::move(context)), module(std::move(ir)) {}
  ~ModuleHandle();
  ModuleHandle(const ModuleHandle &) = delete;
  ModuleHandle &operator=(const ModuleHandle &) = delete;

  const std::shared_ptr<ContextHandle> &context() const { return owner; }

  /// Runs `work` on the IR, guarded; all access from Python goes through here. Work that takes the
  /// IR as const leaves it as it is.
  template <class Work> auto use(const char *step, Work &&work, bool isDeep = false) {
    auto onModule = [&] {
      if constexpr (!std::is_invocable_v<Work, const llvm::Module &>)
        forgetWhatIsKnown();
      return work(ir());
    };
    return guarded(*owner, step, onModule, isDeep);
  }

  /// The same for work that changes nothing, but calls what takes no const.
  template <class Work> auto look(const char *step, Work &&work) {
    return guarded(*owner, step, [&] { return work(ir()); });
  }

  /// The same for extraction, which changes nothing and needs the index.
  template <class Work> auto useIndexed(const char *step, Work &&work) {
    return guarded(*owner, step, [&] { return work(ir(), index); });
  }

  /// Throws IRError with LLVM's report if the IR is not well-formed. What was so stays so until it
  /// changes: most passes have nothing to do in most modules.
  void verify();

  /// The IR; throws IRError once it has been taken. Only for code that runs guarded.
  llvm::Module &ir();
  std::unique_ptr<llvm::Module> take();

private:
  void forgetWhatIsKnown() {
    index.forget();
    isVerified = false;
  }

  std::shared_ptr<ContextHandle> owner;
  std::unique_ptr<llvm::Module> module;
  ExtractionIndex index;
  bool isVerified = false;
};

using ModulePtr = std::shared_ptr<ModuleHandle>;

/// Reads textual IR or bitcode.
ModulePtr parseModule(std::shared_ptr<ContextHandle> context, llvm::StringRef data,
                      const std::string &name);

std::string moduleName(ModuleHandle &module);
llvm::Triple targetTriple(ModuleHandle &module);
std::string printModule(ModuleHandle &module);
std::string writeBitcode(ModuleHandle &module);

/// Throws IRError with LLVM's report if the module is not well-formed.
void verifyIR(const llvm::Module &ir);

/// Moves everything in `source` into `destination`. `source` is consumed, also when linking fails.
void linkModules(ModuleHandle &destination, ModuleHandle &source);

/// The named function or global value, or IRError.
llvm::Function &findFunction(llvm::Module &ir, llvm::StringRef name);
/// The same for a function with a body.
llvm::Function &findDefinition(llvm::Module &ir, llvm::StringRef name);
llvm::GlobalVariable &findGlobalVariable(llvm::Module &ir, llvm::StringRef name);
llvm::GlobalValue &findGlobalValue(llvm::Module &ir, llvm::StringRef name);

/// `text` for Python. LLVM takes any bytes as a name or string, Python only UTF-8, which is what
/// C++ front-ends write.
std::string readText(llvm::StringRef text);

/// Throws IRError if the name is empty or the module has something of that name.
void requireFreeName(const llvm::Module &ir, llvm::StringRef name);

/// A parameter's type from its textual form, as in "ptr addrspace(1)".
llvm::Type *parseParameterType(const llvm::Module &ir, const std::string &text);

} // namespace dovetail
