// The clang plugin: what Python cannot see, written down.
//
// Loaded by -fplugin into device and host compilations. Arguments, each as
// -fplugin-arg-dovetail-NAME=VALUE:
//
//   facts=FILE          where the facts go; without it nothing is written (precompiled headers)
//   kernel-marks=A,B    names of function properties that make a plain function a kernel
//   entry-points=PREFIX have clang make the entry points of such functions, named with this prefix
//   unique-prefix=TEXT  what tells the source from others, for variables that others do not see

#include "attribute_checks.h"
#include "facts.h"
#include "identification.h"
#include "kernels.h"
#include "members.h"
#include "rewriter.h"
#include "substitution.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Sema/SemaConsumer.h"
#include <optional>

using namespace clang;

namespace {

struct Arguments {
  std::string factsFile;
  llvm::StringSet<> kernelMarks;
  std::string entryPrefix;
  std::string uniquePrefix;
};

void reportError(DiagnosticsEngine &diagnostics, llvm::StringRef message) {
  diagnostics.Report(diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << message;
}

class FactsConsumer : public SemaConsumer {
public:
  // By value: clang destroys the action as soon as it has made its consumer.
  FactsConsumer(CompilerInstance &compiler, Arguments given,
                std::unique_ptr<dovetail::AttributePlaces> places)
      : diagnostics(compiler.getDiagnostics()), given(std::move(given)), places(std::move(places)),
        precompiles(compiler.getFrontendOpts().ProgramAction == frontend::GeneratePCH) {}

  void InitializeSema(Sema &sema) override {
    this->sema = &sema;
    kernels.emplace(sema, given.kernelMarks);
    attributes.emplace(sema, *places);
    names.emplace(sema.getASTContext(), *places);
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl *declaration : group) {
      kernels->consider(*declaration);
      attributes->check(*declaration);
    }
    return true;
  }

  /// What comes from a precompiled header, often while the parser is in the middle of something.
  void HandleInterestingDecl(DeclGroupRef group) override {
    for (Decl *declaration : group)
      kernels->consider(*declaration);
  }

  void HandleInlineFunctionDefinition(FunctionDecl *function) override {
    kernels->consider(*function);
  }

  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override {
    kernels->consider(*variable);
  }

  void HandleTagDeclDefinition(TagDecl *tag) override {
    attributes->checkClass(*tag);
    dovetail::annotateMembers(*tag, sema->getASTContext());
  }

  void HandleVTable(CXXRecordDecl *record) override { kernels->considerVTable(*record); }

  void HandleTranslationUnit(ASTContext &) override {
    if (diagnostics.hasErrorOccurred())
      return;
    kernels->check();
    if (precompiles)
      forgetRootsOfDeferredMessages();
    if (given.factsFile.empty() || diagnostics.hasErrorOccurred())
      return;
    if (llvm::Error failure = dovetail::writeFacts(given.factsFile, kernels->facts()))
      reportError(diagnostics, toString(std::move(failure)));
    kernels->emitVariables();
    if (!given.entryPrefix.empty())
      kernels->addEntryPoints(given.entryPrefix);
  }

  void ForgetSema() override { sema = nullptr; }

  ASTMutationListener *GetASTMutationListener() override { return &packElements; }

private:
  /// Clang notes each function in which messages about device code could begin, and would read all
  /// of the headers' from the precompiled header, with the types that they use, for every source.
  /// None of them calls a source's functions, and messages about headers are not kept in it anyway.
  void forgetRootsOfDeferredMessages() { sema->DeclsToCheckForDeferredDiags.clear(); }

  DiagnosticsEngine &diagnostics;
  Arguments given;
  std::unique_ptr<dovetail::AttributePlaces> places;
  bool precompiles;
  Sema *sema = nullptr;
  dovetail::PackElements packElements{sema};
  std::optional<dovetail::KernelFinder> kernels;
  std::optional<dovetail::AttributeChecker> attributes;
  std::optional<dovetail::AttributeNamesInMessages> names;
};

/// Makes nothing of the attributes: kernels and errors are the device's. Variables that are the
/// device's too are told which they are.
class HostConsumer : public SemaConsumer {
public:
  HostConsumer(CompilerInstance &compiler, std::string unique)
      : diagnostics(compiler.getDiagnostics()), unique(std::move(unique)),
        precompiles(compiler.getFrontendOpts().ProgramAction == frontend::GeneratePCH) {}

  void InitializeSema(Sema &sema) override {
    context = &sema.getASTContext();
    variables.emplace(sema, unique);
    for (Decl *declaration : early)
      variables->consider(*declaration);
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    // Variables of a precompiled header that have to be initialised come before Sema is there.
    for (Decl *declaration : group)
      if (variables)
        variables->consider(*declaration);
      else
        early.push_back(declaration);
    return true;
  }

  void HandleCXXStaticMemberVarInstantiation(VarDecl *variable) override {
    variables->consider(*variable);
  }

  void HandleTagDeclDefinition(TagDecl *tag) override { dovetail::annotateMembers(*tag, *context); }

  void HandleTranslationUnit(ASTContext &) override {
    if (!precompiles && !diagnostics.hasErrorOccurred())
      variables->emit();
  }

private:
  DiagnosticsEngine &diagnostics;
  std::string unique;
  bool precompiles;
  ASTContext *context = nullptr;
  std::vector<Decl *> early;
  std::optional<dovetail::VariableIdentifier> variables;
};

class DovetailAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    if (!compiler.getLangOpts().SYCLIsDevice) {
      dovetail::rewriteAttributes(compiler.getPreprocessor());
      return std::make_unique<HostConsumer>(compiler, given.uniquePrefix);
    }
    auto places = std::make_unique<dovetail::AttributePlaces>(compiler.getSourceManager());
    dovetail::rewriteAttributes(compiler.getPreprocessor(), places.get());
    return std::make_unique<FactsConsumer>(compiler, given, std::move(places));
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
    if (word.consume_front("entry-points=")) {
      given.entryPrefix = word.str();
      return true;
    }
    if (word.consume_front("unique-prefix=")) {
      given.uniquePrefix = word.str();
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
