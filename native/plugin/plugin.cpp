// The clang plugin: what Python cannot see, written down.
//
// Loaded by -fplugin into device and host compilations. Arguments, each as
// -fplugin-arg-dovetail-NAME=VALUE:
//
//   facts=FILE          where the facts go; without it nothing is written (precompiled headers)
//   kernel-marks=A,B    names of function properties that make a plain function a kernel

#include "facts.h"
#include "kernels.h"
#include "rewriter.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include <optional>

using namespace clang;

namespace {

struct Arguments {
  std::string factsFile;
  llvm::StringSet<> kernelMarks;
};

void reportError(DiagnosticsEngine &diagnostics, llvm::StringRef message) {
  diagnostics.Report(diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << message;
}

class FactsConsumer : public ASTConsumer {
public:
  // By value: clang destroys the action as soon as it has made its consumer.
  FactsConsumer(DiagnosticsEngine &diagnostics, Arguments given)
      : diagnostics(diagnostics), given(std::move(given)) {}

  void Initialize(ASTContext &context) override { kernels.emplace(context, given.kernelMarks); }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      kernels->consider(*declaration);
    return true;
  }

  void HandleInlineFunctionDefinition(FunctionDecl *function) override {
    kernels->consider(*function);
  }

  void HandleTranslationUnit(ASTContext &) override {
    if (diagnostics.hasErrorOccurred())
      return;
    kernels->check(diagnostics);
    if (given.factsFile.empty() || diagnostics.hasErrorOccurred())
      return;
    if (llvm::Error failure = dovetail::writeFacts(given.factsFile, kernels->facts()))
      reportError(diagnostics, toString(std::move(failure)));
  }

private:
  DiagnosticsEngine &diagnostics;
  Arguments given;
  std::optional<dovetail::KernelFinder> kernels;
};

class DovetailAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    dovetail::rewriteAttributes(compiler.getPreprocessor());
    // A host compilation only has to know the attributes; kernels are the device's.
    if (!compiler.getLangOpts().SYCLIsDevice)
      return std::make_unique<ASTConsumer>();
    return std::make_unique<FactsConsumer>(compiler.getDiagnostics(), given);
  }

  bool ParseArgs(const CompilerInstance &compiler, const std::vector<std::string> &words) override {
    for (llvm::StringRef word : words)
      if (!take(word)) {
        reportError(compiler.getDiagnostics(), ("unknown plugin argument '" + word + "'").str());
        return false;
      }
    return true;
  }

  // Before code generation, which must see what we add to declarations.
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  bool take(llvm::StringRef word) {
    if (word.consume_front("facts=")) {
      given.factsFile = word.str();
      return true;
    }
    if (!word.consume_front("kernel-marks="))
      return false;
    llvm::SmallVector<llvm::StringRef> names;
    word.split(names, ',', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef name : names)
      given.kernelMarks.insert(name);
    return true;
  }

  Arguments given;
};

FrontendPluginRegistry::Add<DovetailAction> registered("dovetail", "facts about SYCL kernels");

} // namespace
