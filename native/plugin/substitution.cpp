#include "substitution.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaInternal.h"
#include "clang/Sema/Template.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace dovetail {

namespace {

/// The annotation in which `PackElements` notes the element.
constexpr llvm::StringRef packElement = "dovetail.pack_element";

/// The element of the parameter packs around a function that it is made for, if it is for one.
UnsignedOrNone elementOf(const FunctionDecl &function) {
  for (const DeclContext *around = &function; around; around = around->getParent())
    if (const auto *record = dyn_cast<CXXRecordDecl>(around); record && record->hasAttrs())
      for (const auto *annotation : record->specific_attrs<AnnotateAttr>())
        if (annotation->getAnnotation() == packElement)
          return static_cast<unsigned>(
              cast<IntegerLiteral>(*annotation->args_begin())->getValue().getZExtValue());
  return std::nullopt;
}

/// Collects the variables, parameters and types that an expression names and that are declared
/// inside functions.
class LocalNames : public RecursiveASTVisitor<LocalNames> {
public:
  bool VisitDeclRefExpr(DeclRefExpr *reference) { return add(reference->getDecl()); }
  bool VisitSizeOfPackExpr(SizeOfPackExpr *size) { return add(size->getPack()); }
  bool VisitTypedefTypeLoc(TypedefTypeLoc type) { return add(type.getDecl()); }
  bool VisitTagTypeLoc(TagTypeLoc type) { return add(type.getDecl()); }

  llvm::SmallSetVector<const NamedDecl *, 4> found;

private:
  bool add(const NamedDecl *declaration) {
    // An enumerator is found by its type.
    if (const auto *enumerator = dyn_cast<EnumConstantDecl>(declaration))
      declaration = cast<EnumDecl>(enumerator->getDeclContext());
    if (declaration->getDeclContext()->isFunctionOrMethod() && !declaration->isTemplateParameter())
      found.insert(declaration);
    return true;
  }
};

/// The declarations that instantiation made of `local` in the functions around and including
/// `function`: one, several if `local` is a pack, or none.
llvm::SmallVector<Decl *, 1> instancesOf(const NamedDecl &local, const FunctionDecl &function) {
  llvm::SmallVector<Decl *, 1> found;
  auto consider = [&](Decl *declaration) {
    // An instance has the place of what it was made from.
    if (declaration->getKind() == local.getKind() &&
        declaration->getLocation() == local.getLocation() &&
        !llvm::is_contained(found, declaration))
      found.push_back(declaration);
    if (auto *group = dyn_cast<DecompositionDecl>(declaration))
      for (BindingDecl *binding : group->bindings())
        if (isa<BindingDecl>(local) && binding->getLocation() == local.getLocation())
          found.push_back(binding);
  };
  for (const DeclContext *around = &function; around && found.empty();
       around = around->getParent()) {
    if (const auto *outer = dyn_cast<FunctionDecl>(around)) {
      for (ParmVarDecl *parameter : outer->parameters())
        consider(parameter);
      for (Decl *declaration : outer->decls())
        consider(declaration);
    }
  }
  return found;
}

/// Whether each of the names now has its instance in the scope.
bool addInstances(const LocalNames &names, const FunctionDecl &function,
                  LocalInstantiationScope &scope) {
  for (const NamedDecl *local : names.found) {
    llvm::SmallVector<Decl *, 1> instances = instancesOf(*local, function);
    if (local->isParameterPack()) {
      scope.MakeInstantiatedLocalArgPack(local);
      for (Decl *instance : instances)
        scope.InstantiatedLocalPackArg(local, cast<VarDecl>(instance));
    } else if (instances.size() == 1) {
      scope.InstantiatedLocal(local, instances.front());
    } else {
      return false;
    }
  }
  return true;
}

/// The outermost of the functions around and including `function`.
FunctionDecl &outermost(const FunctionDecl &function) {
  const FunctionDecl *found = &function;
  for (const DeclContext *around = &function; around; around = around->getParent())
    if (const auto *outer = dyn_cast<FunctionDecl>(around))
      found = outer;
  return const_cast<FunctionDecl &>(*found);
}

/// The arguments of all templates around a function. Elsewhere clang leaves out what is around a
/// generic lambda, since it has substituted that before, but not in attributes on types.
MultiLevelTemplateArgumentList templateArguments(const FunctionDecl &function, Sema &sema) {
  return sema.getTemplateInstantiationArgs(&function, /*DC=*/nullptr, /*Final=*/false,
                                           /*Innermost=*/std::nullopt, /*RelativeToPrimary=*/false,
                                           /*Pattern=*/nullptr,
                                           /*ForConstraintInstantiation=*/true);
}

/// How many elements a parameter pack has in this instance; 0 if it is not known.
size_t sizeOfPack(const UnexpandedParameterPack &pack, const FunctionDecl &function,
                  const MultiLevelTemplateArgumentList &arguments) {
  if (auto *declaration = llvm::dyn_cast_if_present<NamedDecl *>(pack.first))
    if (!declaration->isTemplateParameter())
      return instancesOf(*declaration, function).size();
  auto place = getDepthAndIndex(pack);
  if (!place || place->first >= arguments.getNumLevels() ||
      !arguments.hasTemplateArgument(place->first, place->second))
    return 0;
  const TemplateArgument &argument = arguments(place->first, place->second);
  return argument.getKind() == TemplateArgument::Pack ? argument.pack_size() : 0;
}

/// Whether packs that nothing in the arguments expands are expanded around the function.
bool areExpanded(llvm::ArrayRef<Expr *> given, const FunctionDecl &function,
                 const MultiLevelTemplateArgumentList &arguments, UnsignedOrNone element) {
  llvm::SmallVector<UnexpandedParameterPack, 2> packs;
  for (Expr *argument : given)
    Sema::collectUnexpandedParameterPacks(argument, packs);
  return llvm::all_of(packs, [&](const UnexpandedParameterPack &pack) {
    return element && *element < sizeOfPack(pack, function, arguments);
  });
}

bool isDependent(const Expr *argument) {
  return argument->isInstantiationDependent() || argument->containsUnexpandedParameterPack();
}

/// Substitution of the arguments of one attribute.
class Substitution {
public:
  Substitution(const AttributeUse &use, const FunctionDecl &function, Sema &sema)
      : use(use), function(function), sema(sema) {
    for (const Expr *argument : use.arguments)
      given.push_back(const_cast<Expr *>(argument));
  }

  /// Whether `made` has the arguments; an error was reported otherwise.
  bool run() {
    auto *instance = const_cast<FunctionDecl *>(&function);
    Sema::InstantiatingTemplate instantiating(sema, use.place, instance);
    if (instantiating.isInvalid())
      return false; // too deep, and reported
    // Names are as accessible there as inside, and its own variables need no capture.
    FunctionDecl &around = outermost(function);
    Sema::ContextRAII inside(sema, &around);
    LocalInstantiationScope scope(sema);
    LocalNames names;
    for (Expr *argument : given)
      names.TraverseStmt(argument);
    MultiLevelTemplateArgumentList arguments = templateArguments(function, sema);
    UnsignedOrNone element = elementOf(function);
    if (!addInstances(names, function, scope) || !areExpanded(given, function, arguments, element))
      return reportUnknown();
    Sema::ArgPackSubstIndexRAII index(sema, element);
    bool captures = llvm::any_of(names.found, [&](const NamedDecl *local) {
      return cast<FunctionDecl>(local->getDeclContext())->getLocation() != around.getLocation();
    });
    if (!substitute(arguments, captures))
      return false;
    return llvm::none_of(made, isDependent) || reportUnknown();
  }

  llvm::SmallVector<Expr *, 3> made;

private:
  bool substitute(const MultiLevelTemplateArgumentList &arguments, bool captures) {
    using Evaluation = Sema::ExpressionEvaluationContext;
    DiagnosticErrorTrap errors(sema.getDiagnostics());
    {
      // Clang can capture only for a lambda that it is reading; what is not evaluated needs none.
      EnterExpressionEvaluationContext context(sema, captures ? Evaluation::Unevaluated
                                                              : Evaluation::ConstantEvaluated);
      if (sema.SubstExprs(given, /*IsCall=*/false, arguments, made))
        return false;
    }
    if (captures) {
      // Constant functions are instantiated only where something evaluates them.
      EnterExpressionEvaluationContext context(sema, Evaluation::ConstantEvaluated);
      for (Expr *argument : made)
        sema.MarkDeclarationsReferencedInExpr(argument, /*SkipLocalVariables=*/true);
    }
    return !errors.hasErrorOccurred();
  }

  bool reportUnknown() {
    DiagnosticsEngine &diagnostics = sema.getDiagnostics();
    unsigned id = diagnostics.getCustomDiagID(
        DiagnosticsEngine::Error, "the value of an argument of '%0' is not known in this instance "
                                  "of the template; use a constant from outside of it");
    diagnostics.Report(given.front()->getExprLoc(), id) << use.name;
    return false;
  }

  const AttributeUse &use;
  const FunctionDecl &function;
  Sema &sema;
  llvm::SmallVector<Expr *, 3> given;
};

} // namespace

void substituteArguments(AttributeUse &use, const FunctionDecl &function, Sema &sema) {
  if (llvm::none_of(use.arguments, isDependent) || function.isDependentContext() ||
      function.isInvalidDecl())
    return;
  Substitution substitution(use, function, sema);
  if (substitution.run())
    use.arguments.assign(substitution.made.begin(), substitution.made.end());
  else
    // Else every reader of the attribute would report it again.
    const_cast<FunctionDecl &>(function).setInvalidDecl();
}

void PackElements::CompletedTagDefinition(const TagDecl *tag) {
  if (!sema || !sema->ArgPackSubstIndex || !tag->getParentFunctionOrMethod())
    return;
  ASTContext &context = sema->getASTContext();
  llvm::APInt element(context.getIntWidth(context.UnsignedIntTy), *sema->ArgPackSubstIndex);
  Expr *argument =
      IntegerLiteral::Create(context, element, context.UnsignedIntTy, tag->getLocation());
  const_cast<TagDecl *>(tag)->addAttr(
      AnnotateAttr::CreateImplicit(context, packElement, &argument, 1, tag->getSourceRange()));
}

} // namespace dovetail
