// The clang plugin, which writes facts about device code for Python.
//
// Loaded by -fplugin into device and host compilations. Arguments, each as
// -fplugin-arg-dovetail-NAME=VALUE:
//
//   facts=FILE          the output file; without it no facts are written (precompiled headers)
//   kernel-marks=A,B    names of function properties that make a plain function a kernel
//   entry-points=PREFIX make clang generate entry points of such functions, with this name prefix
//   unique-prefix=TEXT  distinguishes the source from others, for variables with internal linkage

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
  std::string FactsFile;
  llvm::StringSet<> KernelMarks;
  std::string EntryPrefix;
  std::string UniquePrefix;
};

void reportError(DiagnosticsEngine &Diags, llvm::StringRef Message) {
  Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << Message;
}

class FactsConsumer : public SemaConsumer {
public:
  // Arguments are copied, since clang destroys the action after it has created the consumer.
  FactsConsumer(CompilerInstance &CI, Arguments Args,
                std::unique_ptr<dovetail::AttributeLocations> Locations)
      : Diags(CI.getDiagnostics()), Args(std::move(Args)), Locations(std::move(Locations)),
        IsPrecompiling(CI.getFrontendOpts().ProgramAction == frontend::GeneratePCH) {}

  void InitializeSema(Sema &SemaRef) override {
    S = &SemaRef;
    Kernels.emplace(SemaRef, Args.KernelMarks);
    Checker.emplace(SemaRef, *Locations);
    Names.emplace(SemaRef.getASTContext(), *Locations);
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group) {
      Kernels->visit(*D);
      Checker->check(*D);
    }
    return true;
  }

  /// Receives declarations from a precompiled header, often in the middle of another declaration.
  void HandleInterestingDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      Kernels->visit(*D);
  }

  void HandleInlineFunctionDefinition(FunctionDecl *FD) override { Kernels->visit(*FD); }

  void HandleCXXStaticMemberVarInstantiation(VarDecl *VD) override { Kernels->visit(*VD); }

  void HandleTagDeclDefinition(TagDecl *TD) override {
    Checker->checkClass(*TD);
    dovetail::annotateMembers(*TD, S->getASTContext());
  }

  void HandleVTable(CXXRecordDecl *RD) override { Kernels->visitVTable(*RD); }

  void HandleTranslationUnit(ASTContext &) override {
    if (Diags.hasErrorOccurred())
      return;
    Kernels->check();
    if (IsPrecompiling)
      clearDeferredDiagnostics();
    if (Args.FactsFile.empty() || Diags.hasErrorOccurred())
      return;
    if (llvm::Error Err = dovetail::writeFacts(Args.FactsFile, Kernels->facts()))
      reportError(Diags, toString(std::move(Err)));
    Kernels->emitVariables();
    if (!Args.EntryPrefix.empty())
      Kernels->addEntryPoints(Args.EntryPrefix);
  }

  void ForgetSema() override { S = nullptr; }

  ASTMutationListener *GetASTMutationListener() override { return &PackIndices; }

private:
  /// Clears the functions for which clang has deferred diagnostics about device code. Otherwise it
  /// would deserialize the functions of the headers for every source. They do not call functions of
  /// the source, and a precompiled header does not store deferred diagnostics.
  void clearDeferredDiagnostics() { S->DeclsToCheckForDeferredDiags.clear(); }

  DiagnosticsEngine &Diags;
  Arguments Args;
  std::unique_ptr<dovetail::AttributeLocations> Locations;
  bool IsPrecompiling;
  Sema *S = nullptr;
  dovetail::PackIndexRecorder PackIndices{S};
  std::optional<dovetail::KernelFinder> Kernels;
  std::optional<dovetail::AttributeChecker> Checker;
  std::optional<dovetail::AttributeNamesInMessages> Names;
};

/// Registers variables in host compilations. Facts and errors come from the device compilation.
class HostConsumer : public SemaConsumer {
public:
  HostConsumer(CompilerInstance &CI, std::string Unique)
      : Diags(CI.getDiagnostics()), Unique(std::move(Unique)),
        IsPrecompiling(CI.getFrontendOpts().ProgramAction == frontend::GeneratePCH) {}

  void InitializeSema(Sema &S) override {
    Ctx = &S.getASTContext();
    Variables.emplace(S, Unique);
  }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      Variables->visit(*D);
    return true;
  }

  /// Ignores variables of the precompiled header that are initialized at start-up, such as those of
  /// <iostream>. The headers define no variable to identify, and Sema may not be initialized yet.
  void HandleInterestingDecl(DeclGroupRef) override {}

  void HandleCXXStaticMemberVarInstantiation(VarDecl *VD) override { Variables->visit(*VD); }

  void HandleTagDeclDefinition(TagDecl *TD) override { dovetail::annotateMembers(*TD, *Ctx); }

  void HandleTranslationUnit(ASTContext &) override {
    if (!IsPrecompiling && !Diags.hasErrorOccurred())
      Variables->emit();
  }

private:
  DiagnosticsEngine &Diags;
  std::string Unique;
  bool IsPrecompiling;
  ASTContext *Ctx = nullptr;
  std::optional<dovetail::VariableIdentifier> Variables;
};

class DovetailAction : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, llvm::StringRef) override {
    if (!CI.getLangOpts().SYCLIsDevice) {
      dovetail::rewriteAttributes(CI.getPreprocessor());
      return std::make_unique<HostConsumer>(CI, Args.UniquePrefix);
    }
    auto Locations = std::make_unique<dovetail::AttributeLocations>(CI.getSourceManager());
    dovetail::rewriteAttributes(CI.getPreprocessor(), Locations.get());
    return std::make_unique<FactsConsumer>(CI, Args, std::move(Locations));
  }

  bool ParseArgs(const CompilerInstance &CI, const std::vector<std::string> &Words) override {
    for (llvm::StringRef Word : Words)
      if (!parseArgument(Word)) {
        reportError(CI.getDiagnostics(), ("unknown plugin argument '" + Word + "'").str());
        return false;
      }
    return true;
  }

  // The plugin runs before code generation, since it adds attributes to declarations.
  ActionType getActionType() override { return AddBeforeMainAction; }

private:
  bool parseArgument(llvm::StringRef Arg) {
    if (Arg.consume_front("facts=")) {
      Args.FactsFile = Arg.str();
      return true;
    }
    if (Arg.consume_front("entry-points=")) {
      Args.EntryPrefix = Arg.str();
      return true;
    }
    if (Arg.consume_front("unique-prefix=")) {
      Args.UniquePrefix = Arg.str();
      return true;
    }
    if (!Arg.consume_front("kernel-marks="))
      return false;
    llvm::SmallVector<llvm::StringRef> Names;
    Arg.split(Names, ',', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef Name : Names)
      Args.KernelMarks.insert(Name);
    return true;
  }

  Arguments Args;
};

// NOLINTNEXTLINE(bugprone-throwing-static-initialization)
FrontendPluginRegistry::Add<DovetailAction> Registered("dovetail", "facts about SYCL kernels");

} // namespace
