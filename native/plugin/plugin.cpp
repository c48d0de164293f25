//===- The clang plugin: what Python cannot see, written down ----------------------------*- C++
//-*-===//
//
// Loaded by -fplugin into a device compilation. Arguments, each as
// -fplugin-arg-dovetail-NAME=VALUE:
//
//   facts=FILE          where the facts go; without it nothing is written (precompiled headers)
//   kernel-marks=A,B    names of function properties that make a plain function a kernel
//
//===----------------------------------------------------------------------------------------------===//

#include "attributes.h"
#include "facts.h"
#include "kernels.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include <optional>

using namespace clang;

namespace {

struct Arguments {
  std::string FactsFile;
  llvm::StringSet<> KernelMarks;
};

void reportError(DiagnosticsEngine &Diagnostics, llvm::StringRef Message) {
  Diagnostics.Report(Diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << Message;
}

class FactsConsumer : public ASTConsumer {
public:
  // By value: clang destroys the action as soon as it has made its consumer.
  FactsConsumer(DiagnosticsEngine &Diagnostics, Arguments Given)
      : Diagnostics(Diagnostics), Given(std::move(Given)) {}

  void Initialize(ASTContext &Context) override { Kernels.emplace(Context, Given.KernelMarks); }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      Kernels->consider(*D);
    return true;
  }

  void HandleInlineFunctionDefinition(FunctionDecl *F) override { Kernels->consider(*F); }

  void HandleTranslationUnit(ASTContext &) override {
    if (Given.FactsFile.empty() || Diagnostics.hasErrorOccurred())
      return;
    if (llvm::Error Failure = writeFacts())
      reportError(Diagnostics, toString(std::move(Failure)));
  }

private:
  llvm::Error writeFacts() { return dovetail::writeFacts(Given.FactsFile, Kernels->facts()); }

  DiagnosticsEngine &Diagnostics;
  Arguments Given;
  std::optional<dovetail::KernelFinder> Kernels;
};

class DovetailAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Compiler,
                                                 llvm::StringRef) override {
    dovetail::rewriteAttributes(Compiler.getPreprocessor());
    return std::make_unique<FactsConsumer>(Compiler.getDiagnostics(), Given);
  }

  bool ParseArgs(const CompilerInstance &Compiler, const std::vector<std::string> &Args) override {
    for (llvm::StringRef Argument : Args)
      if (!take(Argument)) {
        reportError(Compiler.getDiagnostics(),
                    ("unknown plugin argument '" + Argument + "'").str());
        return false;
      }
    return true;
  }

  // Before code generation, which must see what we add to declarations.
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  bool take(llvm::StringRef Argument) {
    if (Argument.consume_front("facts=")) {
      Given.FactsFile = Argument.str();
      return true;
    }
    if (!Argument.consume_front("kernel-marks="))
      return false;
    llvm::SmallVector<llvm::StringRef> Names;
    Argument.split(Names, ',', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef Name : Names)
      Given.KernelMarks.insert(Name);
    return true;
  }

  Arguments Given;
};

FrontendPluginRegistry::Add<DovetailAction> Registered("dovetail", "facts about SYCL kernels");

} // namespace
