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

/// The annotation in which `PackIndexRecorder` stores the index.
constexpr llvm::StringRef PackIndexAnnotation = "dovetail.pack_element";

/// Returns the index in enclosing parameter packs for which a function is instantiated, if any.
UnsignedOrNone packIndexOf(const FunctionDecl &FD) {
  for (const DeclContext *DC = &FD; DC; DC = DC->getParent())
    if (const auto *RD = dyn_cast<CXXRecordDecl>(DC); RD && RD->hasAttrs())
      for (const auto *Annotation : RD->specific_attrs<AnnotateAttr>())
        if (Annotation->getAnnotation() == PackIndexAnnotation)
          return static_cast<unsigned>(
              cast<IntegerLiteral>(*Annotation->args_begin())->getValue().getZExtValue());
  return std::nullopt;
}

/// Collects the local variables, parameters and types that an expression names.
class LocalNames : public RecursiveASTVisitor<LocalNames> {
public:
  bool VisitDeclRefExpr(DeclRefExpr *DRE) { return add(DRE->getDecl()); }
  bool VisitSizeOfPackExpr(SizeOfPackExpr *Size) { return add(Size->getPack()); }
  bool VisitTypedefTypeLoc(TypedefTypeLoc TL) { return add(TL.getDecl()); }
  bool VisitTagTypeLoc(TagTypeLoc TL) { return add(TL.getDecl()); }

  llvm::SmallSetVector<const NamedDecl *, 4> Found;

private:
  bool add(const NamedDecl *D) {
    // Enumerators are instantiated with their type.
    if (const auto *Enumerator = dyn_cast<EnumConstantDecl>(D))
      D = cast<EnumDecl>(Enumerator->getDeclContext());
    if (D->getDeclContext()->isFunctionOrMethod() && !D->isTemplateParameter())
      Found.insert(D);
    return true;
  }
};

/// Returns the instances of `Local` in a function and the functions around it: one, or any number
/// if `Local` is a pack.
llvm::SmallVector<Decl *, 1> instancesOf(const NamedDecl &Local, const FunctionDecl &FD) {
  llvm::SmallVector<Decl *, 1> Found;
  auto AddIfInstance = [&](Decl *D) {
    // An instance has the location of its pattern.
    if (D->getKind() == Local.getKind() && D->getLocation() == Local.getLocation() &&
        !llvm::is_contained(Found, D))
      Found.push_back(D);
    if (auto *Group = dyn_cast<DecompositionDecl>(D))
      for (BindingDecl *Binding : Group->bindings())
        if (isa<BindingDecl>(Local) && Binding->getLocation() == Local.getLocation())
          Found.push_back(Binding);
  };
  for (const DeclContext *DC = &FD; DC && Found.empty(); DC = DC->getParent()) {
    if (const auto *Outer = dyn_cast<FunctionDecl>(DC)) {
      for (ParmVarDecl *Param : Outer->parameters())
        AddIfInstance(Param);
      for (Decl *D : Outer->decls())
        AddIfInstance(D);
    }
  }
  return Found;
}

/// Adds the instances of all names to a scope. Returns false if a name has none.
bool addInstances(const LocalNames &Names, const FunctionDecl &FD,
                  LocalInstantiationScope &LocalScope) {
  for (const NamedDecl *Local : Names.Found) {
    llvm::SmallVector<Decl *, 1> Instances = instancesOf(*Local, FD);
    if (Local->isParameterPack()) {
      LocalScope.MakeInstantiatedLocalArgPack(Local);
      for (Decl *Instance : Instances)
        LocalScope.InstantiatedLocalPackArg(Local, cast<VarDecl>(Instance));
    } else if (Instances.size() == 1) {
      LocalScope.InstantiatedLocal(Local, Instances.front());
    } else {
      return false;
    }
  }
  return true;
}

/// Returns the outermost of a function and the functions around it.
FunctionDecl &outermost(const FunctionDecl &FD) {
  const FunctionDecl *Found = &FD;
  for (const DeclContext *DC = &FD; DC; DC = DC->getParent())
    if (const auto *Outer = dyn_cast<FunctionDecl>(DC))
      Found = Outer;
  return const_cast<FunctionDecl &>(*Found);
}

/// Returns the arguments of all templates around a function. By default, clang omits those around a
/// generic lambda, which it has already substituted except in attributes on types.
MultiLevelTemplateArgumentList templateArguments(const FunctionDecl &FD, Sema &S) {
  return S.getTemplateInstantiationArgs(&FD, /*DC=*/nullptr, /*Final=*/false,
                                        /*Innermost=*/std::nullopt, /*RelativeToPrimary=*/false,
                                        /*Pattern=*/nullptr,
                                        /*ForConstraintInstantiation=*/true);
}

/// Returns the number of elements of a parameter pack in an instance; 0 if it is not known.
size_t sizeOfPack(const UnexpandedParameterPack &Pack, const FunctionDecl &FD,
                  const MultiLevelTemplateArgumentList &Args) {
  if (auto *D = llvm::dyn_cast_if_present<NamedDecl *>(Pack.first))
    if (!D->isTemplateParameter())
      return instancesOf(*D, FD).size();
  auto DepthAndIndex = getDepthAndIndex(Pack);
  if (!DepthAndIndex || DepthAndIndex->first >= Args.getNumLevels() ||
      !Args.hasTemplateArgument(DepthAndIndex->first, DepthAndIndex->second))
    return 0;
  const TemplateArgument &Arg = Args(DepthAndIndex->first, DepthAndIndex->second);
  return Arg.getKind() == TemplateArgument::Pack ? Arg.pack_size() : 0;
}

/// Whether packs that the arguments do not expand are expanded around the function.
bool packsHaveElement(llvm::ArrayRef<Expr *> Written, const FunctionDecl &FD,
                      const MultiLevelTemplateArgumentList &Args, UnsignedOrNone PackIndex) {
  llvm::SmallVector<UnexpandedParameterPack, 2> Packs;
  for (Expr *Arg : Written)
    Sema::collectUnexpandedParameterPacks(Arg, Packs);
  return llvm::all_of(Packs, [&](const UnexpandedParameterPack &Pack) {
    return PackIndex && *PackIndex < sizeOfPack(Pack, FD, Args);
  });
}

bool isDependent(const Expr *Arg) {
  return Arg->isInstantiationDependent() || Arg->containsUnexpandedParameterPack();
}

/// Substitutes the arguments of one attribute.
class Substitution {
public:
  Substitution(const AttributeUse &Use, const FunctionDecl &FD, Sema &S) : Use(Use), FD(FD), S(S) {
    for (const Expr *Arg : Use.Args)
      Written.push_back(const_cast<Expr *>(Arg));
  }

  /// Fills `Substituted`, or reports an error and returns false.
  bool run() {
    auto *Instance = const_cast<FunctionDecl *>(&FD);
    Sema::InstantiatingTemplate Instantiating(S, Use.Loc, Instance);
    if (Instantiating.isInvalid())
      return false; // the instantiation depth is exceeded, which clang reports
    // In the outermost function, the same names are accessible, and its variables need no capture.
    FunctionDecl &Outermost = outermost(FD);
    Sema::ContextRAII Inside(S, &Outermost);
    LocalInstantiationScope LocalScope(S);
    LocalNames Names;
    for (Expr *Arg : Written)
      Names.TraverseStmt(Arg);
    MultiLevelTemplateArgumentList Args = templateArguments(FD, S);
    UnsignedOrNone PackIndex = packIndexOf(FD);
    if (!addInstances(Names, FD, LocalScope) || !packsHaveElement(Written, FD, Args, PackIndex))
      return reportUnknown();
    Sema::ArgPackSubstIndexRAII Index(S, PackIndex);
    bool Captures = llvm::any_of(Names.Found, [&](const NamedDecl *Local) {
      return cast<FunctionDecl>(Local->getDeclContext())->getLocation() != Outermost.getLocation();
    });
    if (!substitute(Args, Captures))
      return false;
    return llvm::none_of(Substituted, isDependent) || reportUnknown();
  }

  llvm::SmallVector<Expr *, 3> Substituted;

private:
  bool substitute(const MultiLevelTemplateArgumentList &Args, bool Captures) {
    using Evaluation = Sema::ExpressionEvaluationContext;
    DiagnosticErrorTrap Trap(S.getDiagnostics());
    {
      // Clang captures variables only while it parses the lambda; unevaluated operands need no
      // captures.
      EnterExpressionEvaluationContext Ctx(S, Captures ? Evaluation::Unevaluated
                                                       : Evaluation::ConstantEvaluated);
      if (S.SubstExprs(Written, /*IsCall=*/false, Args, Substituted))
        return false;
    }
    if (Captures) {
      // Constexpr functions are instantiated only in evaluated contexts.
      EnterExpressionEvaluationContext Ctx(S, Evaluation::ConstantEvaluated);
      for (Expr *Arg : Substituted)
        S.MarkDeclarationsReferencedInExpr(Arg, /*SkipLocalVariables=*/true);
    }
    return !Trap.hasErrorOccurred();
  }

  bool reportUnknown() {
    DiagnosticsEngine &Diags = S.getDiagnostics();
    unsigned DiagID =
        Diags.getCustomDiagID(DiagnosticsEngine::Error,
                              "cannot evaluate an argument of '%0' in this template instance; use "
                              "a constant that is declared outside of the template");
    Diags.Report(Written.front()->getExprLoc(), DiagID) << Use.Name;
    return false;
  }

  const AttributeUse &Use;
  const FunctionDecl &FD;
  Sema &S;
  llvm::SmallVector<Expr *, 3> Written;
};

} // namespace

void substituteArguments(AttributeUse &Use, const FunctionDecl &FD, Sema &S) {
  if (llvm::none_of(Use.Args, isDependent) || FD.isDependentContext() || FD.isInvalidDecl())
    return;
  Substitution Subst(Use, FD, S);
  if (Subst.run())
    Use.Args.assign(Subst.Substituted.begin(), Subst.Substituted.end());
  else
    // Prevents further errors from other uses of the attribute.
    const_cast<FunctionDecl &>(FD).setInvalidDecl();
}

void PackIndexRecorder::CompletedTagDefinition(const TagDecl *TD) {
  if (!S || !S->ArgPackSubstIndex || !TD->getParentFunctionOrMethod())
    return;
  ASTContext &Ctx = S->getASTContext();
  llvm::APInt PackIndex(Ctx.getIntWidth(Ctx.UnsignedIntTy), *S->ArgPackSubstIndex);
  Expr *Arg = IntegerLiteral::Create(Ctx, PackIndex, Ctx.UnsignedIntTy, TD->getLocation());
  const_cast<TagDecl *>(TD)->addAttr(
      AnnotateAttr::CreateImplicit(Ctx, PackIndexAnnotation, &Arg, 1, TD->getSourceRange()));
}

} // namespace dovetail
