#include "kernels.h"
#include "device_call_graph.h"
#include "entry_points.h"
#include "linkage.h"
#include "parameters.h"
#include "places.h"
#include "properties.h"
#include "rules.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/SYCLKernelInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace dovetail {

KernelFinder::KernelFinder(Sema &S, const llvm::StringSet<> &Marks)
    : S(S), Ctx(S.getASTContext()), Marks(Marks), Variables(Ctx) {}

/// Drops aliases in host code, which clang would emit for the device together with their targets.
static void dropAlias(Decl &D) {
  if (D.hasAttrs() && !D.hasAttr<SYCLExternalAttr>()) {
    D.dropAttr<AliasAttr>();
    D.dropAttr<IFuncAttr>();
  }
}

void KernelFinder::visit(Decl &D) {
  dropAlias(D);
  if (auto *FD = dyn_cast<FunctionDecl>(&D))
    return visitFunction(*FD);
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
    for (Decl *Inner : cast<DeclContext>(D).decls())
      visit(*Inner);
  else
    Variables.visit(D);
}

void KernelFinder::visitFunction(FunctionDecl &FD) {
  if (!FD.hasAttrs() || FD.isDependentContext())
    return;
  if (FD.hasAttr<SYCLKernelEntryPointAttr>()) {
    Kernels.insert(&FD);
    return;
  }
  if (isMarkedExternal(FD))
    makeExternal(FD);
  if (!hasKernelMark(FD)) {
    // Declared aspects are checked even if no kernel calls the function.
    if (FD.hasAttr<SYCLExternalAttr>() || declaresAspects(FD))
      Others.insert(&FD);
    return;
  }
  Kernels.insert(&FD);
  // Clang generates no code for functions without callers.
  makeExternal(FD);
}

void KernelFinder::makeExternal(FunctionDecl &FD) const {
  if (!FD.hasAttr<SYCLExternalAttr>())
    FD.addAttr(SYCLExternalAttr::CreateImplicit(Ctx));
}

bool KernelFinder::declaresAspects(const FunctionDecl &FD) {
  return !annotations(FD, "device_has").empty() || !annotations(FD, "requires").empty();
}

bool KernelFinder::hasKernelMark(const FunctionDecl &FD) const {
  return llvm::any_of(propertiesIn(functionAttributes(FD, S), FunctionProperties, Ctx),
                      [&](const auto &Property) { return Marks.contains(Property.first); });
}

void KernelFinder::check() const {
  for (const FunctionDecl *Kernel : Kernels)
    if (Kernel->doesThisDeclarationHaveABody())
      checkKernel(*Kernel, S);
}

Facts KernelFinder::facts() {
  Facts Result;
  DeviceCallGraph Graph(S);
  std::vector<const DeviceFunction *> Roots;
  for (const FunctionDecl *Kernel : Kernels)
    if (Kernel->doesThisDeclarationHaveABody()) {
      Result.Kernels.push_back(describe(*Kernel));
      Roots.push_back(Graph.addRoot(*Kernel, Result.Kernels.back().Symbol));
    }
  for (const FunctionDecl *FD : Others)
    if (FD->doesThisDeclarationHaveABody())
      Graph.addRoot(*FD);
  Graph.build();
  Graph.checkConditionalCalls();
  PlaceTable Places(Ctx.getSourceManager());
  Result.Functions = Graph.facts(Places);
  for (const VarDecl *VD : Graph.variables())
    Variables.add(*VD);
  Result.Variables = Variables.facts(Places);
  Graph.dropProperties();
  Graph.emptyUnreached(VTables);
  Result.Files = Places.takeFiles();
  for (auto [Kernel, Root] : llvm::zip(Result.Kernels, Roots)) {
    Kernel.Function = Root->Index;
    if (Root->ObjectFunction)
      Kernel.ObjectFunction = Root->ObjectFunction->Index;
  }
  return Result;
}

void KernelFinder::addEntryPoints(const std::string &Prefix) {
  // Clang passes added functions to `visit`, which changes `Kernels`.
  auto Found = Kernels.takeVector();
  for (FunctionDecl *Kernel : Found)
    if (Kernel->doesThisDeclarationHaveABody() && !Kernel->hasAttr<SYCLKernelEntryPointAttr>())
      addEntryPoint(*Kernel, Prefix + ASTNameGenerator(Ctx).getName(Kernel), S);
}

KernelFact KernelFinder::describe(const FunctionDecl &Kernel) const {
  KernelFact Fact;
  describeName(Kernel, Fact);
  describePlace(Kernel, Fact);
  Fact.Attributes = propertiesIn(functionAttributes(Kernel, S), FunctionProperties, Ctx);
  for (const ParmVarDecl *Param : Kernel.parameters())
    Fact.Parameters.push_back(describeParameter(*Param, Ctx));
  return Fact;
}

void KernelFinder::describeName(const FunctionDecl &Kernel, KernelFact &Fact) const {
  Fact.Signature = signatureOf(Kernel, Ctx);
  if (const auto *Entry = Kernel.getAttr<SYCLKernelEntryPointAttr>()) {
    QualType Name = Entry->getKernelName();
    Fact.Form = "entry";
    Fact.Symbol = Ctx.getSYCLKernelInfo(Name).GetKernelName();
    Fact.Name = Name.getAsString(Ctx.getPrintingPolicy());
    Fact.Internal = isInternal(Name);
  } else {
    Fact.Form = "function";
    Fact.Symbol = ASTNameGenerator(Ctx).getName(&Kernel);
    Fact.Name = Kernel.getQualifiedNameAsString();
    Fact.Internal = isInternal(Kernel);
  }
}

void KernelFinder::describePlace(const FunctionDecl &Kernel, KernelFact &Fact) const {
  const SourceManager &SM = Ctx.getSourceManager();
  PresumedLoc Place = SM.getPresumedLoc(SM.getExpansionLoc(Kernel.getLocation()));
  if (!Place.isValid())
    return;
  Fact.File = Place.getFilename();
  Fact.Line = Place.getLine();
}

} // namespace dovetail
