#include "kernels.h"
#include "attributes.h"
#include "parameters.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/SYCLKernelInfo.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace dovetail {

void KernelFinder::consider(Decl &D) {
  if (auto *F = dyn_cast<FunctionDecl>(&D))
    return considerFunction(*F);
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
    for (Decl *Inner : cast<DeclContext>(D).decls())
      consider(*Inner);
}

void KernelFinder::considerFunction(FunctionDecl &F) {
  if (!F.hasAttrs() || F.isDependentContext())
    return;
  if (F.hasAttr<SYCLKernelEntryPointAttr>()) {
    Kernels.insert(&F);
    return;
  }
  if (!isMarked(F))
    return;
  Kernels.insert(&F);
  // Nothing in the source calls it, so clang would not generate code for it.
  if (!F.hasAttr<SYCLExternalAttr>())
    F.addAttr(SYCLExternalAttr::CreateImplicit(Context));
}

bool KernelFinder::isMarked(const FunctionDecl &F) const {
  for (const AnnotateAttr *Attribute : annotations(F, "add_ir_attributes_function"))
    for (const auto &Property : properties(*Attribute, Context))
      if (Marks.contains(Property.first))
        return true;
  return false;
}

std::vector<KernelFact> KernelFinder::facts() const {
  std::vector<KernelFact> Facts;
  for (const FunctionDecl *F : Kernels)
    if (F->doesThisDeclarationHaveABody())
      Facts.push_back(describe(*F));
  return Facts;
}

KernelFact KernelFinder::describe(const FunctionDecl &F) const {
  KernelFact Fact;
  PrintingPolicy Policy = Context.getPrintingPolicy();
  if (const auto *Entry = F.getAttr<SYCLKernelEntryPointAttr>()) {
    Fact.Form = "entry";
    Fact.Symbol = Context.getSYCLKernelInfo(Entry->getKernelName()).GetKernelName();
    Fact.Name = Entry->getKernelName().getAsString(Policy);
  } else {
    Fact.Form = "function";
    Fact.Symbol = ASTNameGenerator(Context).getName(&F);
    Fact.Name = F.getQualifiedNameAsString();
  }
  Fact.Signature = signatureOf(F, Context);

  const SourceManager &Sources = Context.getSourceManager();
  PresumedLoc Place = Sources.getPresumedLoc(Sources.getExpansionLoc(F.getLocation()));
  if (Place.isValid()) {
    Fact.File = Place.getFilename();
    Fact.Line = Place.getLine();
  }
  for (const AnnotateAttr *Attribute : annotations(F, "add_ir_attributes_function"))
    for (auto &Property : properties(*Attribute, Context))
      Fact.Attributes.push_back(std::move(Property));
  for (const ParmVarDecl *Parameter : F.parameters())
    Fact.Parameters.push_back(describeParameter(*Parameter, Context));
  return Fact;
}

} // namespace dovetail
