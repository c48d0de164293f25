#include "kernels.h"
#include "entry_points.h"
#include "linkage.h"
#include "parameters.h"
#include "places.h"
#include "properties.h"
#include "reach.h"
#include "rules.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/SYCLKernelInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace dovetail {

KernelFinder::KernelFinder(Sema &sema, const llvm::StringSet<> &marks)
    : sema(sema), context(sema.getASTContext()), marks(marks), variables(context) {}

/// Clang would write aliases of the host's into the device's module, with what they stand for.
static void dropAlias(Decl &declaration) {
  if (declaration.hasAttrs() && !declaration.hasAttr<SYCLExternalAttr>()) {
    declaration.dropAttr<AliasAttr>();
    declaration.dropAttr<IFuncAttr>();
  }
}

void KernelFinder::consider(Decl &declaration) {
  dropAlias(declaration);
  if (auto *function = dyn_cast<FunctionDecl>(&declaration))
    return considerFunction(*function);
  if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(declaration))
    for (Decl *inner : cast<DeclContext>(declaration).decls())
      consider(*inner);
  else
    variables.consider(declaration);
}

void KernelFinder::considerFunction(FunctionDecl &function) {
  if (!function.hasAttrs() || function.isDependentContext())
    return;
  if (function.hasAttr<SYCLKernelEntryPointAttr>()) {
    kernels.insert(&function);
    return;
  }
  if (!isMarked(function)) {
    // Whoever makes a promise is held to it, whether or not a kernel comes there.
    if (function.hasAttr<SYCLExternalAttr>() || makesPromise(function))
      others.insert(&function);
    return;
  }
  kernels.insert(&function);
  // Nothing in the source calls it, so clang would not generate code for it.
  if (!function.hasAttr<SYCLExternalAttr>())
    function.addAttr(SYCLExternalAttr::CreateImplicit(context));
}

bool KernelFinder::makesPromise(const FunctionDecl &function) {
  return !annotations(function, "device_has").empty() || !annotations(function, "requires").empty();
}

bool KernelFinder::isMarked(const FunctionDecl &function) const {
  return llvm::any_of(propertiesIn(functionAttributes(function, sema), ofFunction, context),
                      [&](const auto &property) { return marks.contains(property.first); });
}

void KernelFinder::check() const {
  for (const FunctionDecl *kernel : kernels)
    if (kernel->doesThisDeclarationHaveABody())
      checkKernel(*kernel, sema);
}

Facts KernelFinder::facts() {
  Facts facts;
  Reach reach(sema);
  std::vector<size_t> roots;
  for (const FunctionDecl *kernel : kernels)
    if (kernel->doesThisDeclarationHaveABody()) {
      facts.kernels.push_back(describe(*kernel));
      roots.push_back(reach.addRoot(*kernel, facts.kernels.back().symbol));
    }
  for (const FunctionDecl *function : others)
    if (function->doesThisDeclarationHaveABody())
      reach.addRoot(*function);
  reach.follow();
  reach.checkConditionalCalls();
  PlaceTable places(context.getSourceManager());
  facts.functions = reach.facts(places);
  for (const VarDecl *variable : reach.variables())
    variables.add(*variable);
  facts.variables = variables.facts(places);
  reach.dropProperties();
  reach.emptyUnreached(vtables);
  facts.files = places.takeFiles();
  for (auto [kernel, root] : llvm::zip(facts.kernels, roots)) {
    kernel.function = reach.index(root);
    kernel.objectFunction = reach.objectFunction(root);
  }
  return facts;
}

void KernelFinder::addEntryPoints(const std::string &prefix) {
  // Clang hands what is added back to `consider`.
  auto found = kernels.takeVector();
  for (FunctionDecl *kernel : found)
    if (kernel->doesThisDeclarationHaveABody() && !kernel->hasAttr<SYCLKernelEntryPointAttr>())
      addEntryPoint(*kernel, prefix + ASTNameGenerator(context).getName(kernel), sema);
}

KernelFact KernelFinder::describe(const FunctionDecl &kernel) const {
  KernelFact fact;
  describeName(kernel, fact);
  describePlace(kernel, fact);
  fact.attributes = propertiesIn(functionAttributes(kernel, sema), ofFunction, context);
  for (const ParmVarDecl *parameter : kernel.parameters())
    fact.parameters.push_back(describeParameter(*parameter, context));
  return fact;
}

void KernelFinder::describeName(const FunctionDecl &kernel, KernelFact &fact) const {
  fact.signature = signatureOf(kernel, context);
  if (const auto *entry = kernel.getAttr<SYCLKernelEntryPointAttr>()) {
    QualType name = entry->getKernelName();
    fact.form = "entry";
    fact.symbol = context.getSYCLKernelInfo(name).GetKernelName();
    fact.name = name.getAsString(context.getPrintingPolicy());
    fact.internal = isInternal(name);
  } else {
    fact.form = "function";
    fact.symbol = ASTNameGenerator(context).getName(&kernel);
    fact.name = kernel.getQualifiedNameAsString();
    fact.internal = isInternal(kernel);
  }
}

void KernelFinder::describePlace(const FunctionDecl &kernel, KernelFact &fact) const {
  const SourceManager &sources = context.getSourceManager();
  PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(kernel.getLocation()));
  if (!place.isValid())
    return;
  fact.file = place.getFilename();
  fact.line = place.getLine();
}

} // namespace dovetail
