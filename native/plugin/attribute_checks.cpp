#include "attribute_checks.h"
#include "attribute_table.h"
#include "properties.h"
#include "rewriter.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTDiagnostic.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using llvm::StringRef;

namespace dovetail {

namespace {

/// Whether a type is sycl::aspect, in any inline namespace.
bool isAspect(QualType T) {
  const auto *TD = T->getAsTagDecl();
  if (!TD || !isa<EnumDecl>(TD) || TD->getName() != "aspect")
    return false;
  const DeclContext *DC = TD->getDeclContext();
  while (DC->isInlineNamespace())
    DC = DC->getParent();
  const auto *Space = dyn_cast<NamespaceDecl>(DC);
  return Space && Space->getName() == "sycl" &&
         Space->getParent()->getRedeclContext()->isTranslationUnit();
}

/// The limit of facts.py, MAX_ASPECTS, in bits.
constexpr unsigned MaxAspectBits = 13;

std::vector<llvm::APSInt> values(const AttributeUse &Use, const ASTContext &Ctx) {
  std::vector<llvm::APSInt> Result;
  for (const Expr *Arg : Use.Args) {
    Expr::EvalResult Value;
    if (Arg->EvaluateAsInt(Value, Ctx))
      Result.push_back(Value.Val.getInt());
  }
  return Result;
}

bool isDependent(const AttributeUse &Use) {
  return llvm::any_of(
      Use.Args, [](const Expr *Arg) { return Arg->isValueDependent() || Arg->isTypeDependent(); });
}

/// Whether the attribute has no arguments, not even its name, before instantiation.
bool isDelayed(const AnnotateAttr &Annotation) { return Annotation.delayedArgs_size(); }

/// Returns the attributes of this declaration, without inherited ones.
AttributeUses ownAttributes(const FunctionDecl &FD, Sema &S) {
  AttributeUses Uses;
  if (FD.hasAttrs())
    for (const auto *Annotation : FD.specific_attrs<AnnotateAttr>())
      if (auto Use = asSYCLAttribute(*Annotation); Use && !Annotation->isInherited())
        Uses.push_back(std::move(*Use));
  llvm::append_range(Uses, typeAttributes(FD, S));
  return Uses;
}

constexpr char NotConstant[] = "'%0' expects constant expressions";

class AttributeVisitor : public RecursiveASTVisitor<AttributeVisitor> {
public:
  /// `Reported` contains attributes with errors, which instances of their template do not report
  /// again. `Instance` is the instance that is checked, if it is one.
  AttributeVisitor(Sema &S, const AttributeLocations &Locations,
                   llvm::DenseSet<SourceLocation> &Reported, const NamedDecl *Instance)
      : S(S), Ctx(S.getASTContext()), Diags(Ctx.getDiagnostics()), Locations(Locations),
        Reported(Reported), Instance(Instance) {}

  bool VisitDecl(Decl *D) {
    // VisitFunctionDecl handles functions.
    if (isa<FunctionDecl>(D) || !D->hasAttrs())
      return true;
    bool IsType = isa<TagDecl, TypedefNameDecl>(D), IsStray = false;
    for (const auto *Annotation : D->specific_attrs<AnnotateAttr>()) {
      SawDependent |= isDelayed(*Annotation);
      auto Use = asSYCLAttribute(*Annotation);
      if (!Use || Annotation->isInherited())
        continue;
      IsStray |= !IsType && !isa<FieldDecl>(D) && isPropertyList(Use->Name);
      if (isPropertyList(Use->Name) || (IsType && Use->Name == "uses_aspects"))
        checkArguments(*Use);
      else
        reportMisplaced(*Use);
    }
    // Clang would emit it as an annotation of the variable.
    if (IsStray)
      dropSYCLAttributes(*D);
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl *FD) {
    checkFunction(*FD);
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr *Lambda) {
    checkFunction(*Lambda->getCallOperator());
    return true;
  }

  bool VisitAttributedStmt(AttributedStmt *St) {
    for (const Attr *A : St->getAttrs())
      if (auto Use = asSYCLAttribute(*A))
        reportMisplaced(*Use);
    return true;
  }

  bool VisitAttributedTypeLoc(AttributedTypeLoc TL) {
    if (const Attr *A = TL.getAttr())
      if (auto Use = asSYCLAttribute(*A); Use && !FunctionTypes.contains(Use->Loc))
        reportMisplaced(*Use);
    return true;
  }

  bool SawDependent = false;

private:
  /// Reports an error in an attribute, whose name is the first argument of the text.
  template <unsigned Size, class... Arguments>
  void error(const AttributeUse &Use, SourceRange Range, const char (&Text)[Size],
             const Arguments &...Args) {
    if (!Instance)
      Reported.insert(Use.Loc);
    else if (Reported.contains(Use.Loc))
      return;
    unsigned DiagID = Diags.getCustomDiagID(DiagnosticsEngine::Error, Text);
    ((Diags.Report(Range.getBegin(), DiagID) << Range << nameOf(Use)) << ... << Args);
    if (Instance)
      noteInstance();
  }

  void noteInstance() {
    SourceLocation Requested;
    if (const auto *FD = dyn_cast<FunctionDecl>(Instance))
      Requested = FD->getPointOfInstantiation();
    else if (const auto *RD = dyn_cast<ClassTemplateSpecializationDecl>(Instance))
      Requested = RD->getPointOfInstantiation();
    // Prefer the point in user code that led to the instantiation.
    const SourceManager &SM = Ctx.getSourceManager();
    for (const auto &Around : llvm::reverse(S.CodeSynthesisContexts))
      if (!SM.isInSystemHeader(Requested))
        break;
      else if (Around.PointOfInstantiation.isValid())
        Requested = Around.PointOfInstantiation;
    unsigned DiagID =
        Diags.getCustomDiagID(DiagnosticsEngine::Note, "in instantiation of %q0 requested here");
    Diags.Report(Requested, DiagID) << Instance;
  }

  std::string nameOf(const AttributeUse &Use) const {
    StringRef Name = Locations.nameAt(Use.Loc);
    return (Name.empty() ? Use.Name : Name).str();
  }

  void reportMisplaced(const AttributeUse &Use) {
    if (Use.Name == "uses_aspects")
      error(Use, Use.Loc, "'%0' attribute only applies to functions and types");
    else if (hasAspectArguments(Use.Name) || hasIntegers(Use) || Use.Name == NamedSubGroupSize)
      error(Use, Use.Loc, "'%0' attribute only applies to functions");
  }

  /// Returns what the attribute accepts; MaxCount is 0 if its arguments are not integers.
  IntegerArguments accepted(const AttributeUse &Use) const {
    return integerArguments(Use.Name, Locations.nameAt(Use.Loc));
  }

  bool hasIntegers(const AttributeUse &Use) const { return accepted(Use).MaxCount; }

  static bool isSize(const AttributeUse &Use) {
    return Use.Name.starts_with("reqd_") || Use.Name == "work_group_size_hint";
  }

  void checkFunction(const FunctionDecl &FD) {
    AttributeUses Own = ownAttributes(FD, S);
    if (Own.empty())
      return;
    for (const AttributeUse &Use : typeAttributes(FD, S))
      FunctionTypes.insert(Use.Loc);
    // In a type, the last attribute is the outermost.
    llvm::sort(Own, [](const AttributeUse &Left, const AttributeUse &Right) {
      return Left.Loc.getRawEncoding() < Right.Loc.getRawEncoding();
    });
    AttributeUses Before;
    for (const auto *Other = FD.getPreviousDecl(); Other; Other = Other->getPreviousDecl())
      llvm::append_range(Before, ownAttributes(*Other, S));
    for (const AttributeUse &Use : Own) {
      if (!checkArguments(Use))
        continue;
      checkConflicts(Before, Use);
      Before.push_back(Use);
    }
  }

  /// Returns whether the arguments are correct, and false if they are still dependent.
  bool checkArguments(const AttributeUse &Use) {
    if (isDependent(Use)) {
      SawDependent = true;
      return false;
    }
    if (hasAspectArguments(Use.Name))
      return llvm::all_of(Use.Args, [&](const Expr *It) { return checkAspect(Use, *It); });
    if (hasIntegers(Use))
      return checkIntegers(Use, accepted(Use));
    if (Use.Name == NamedSubGroupSize)
      return checkNamedSize(Use);
    if (isPropertyList(Use.Name))
      return checkProperties(Use);
    return true;
  }

  /// Only the size that the compiler chooses is known before a device is.
  bool checkNamedSize(const AttributeUse &Use) {
    if (Use.Args.size() == 1 && isPlaceholder(*Use.Args.front(), "automatic"))
      return true;
    if (Use.Args.size() == 1 && isPlaceholder(*Use.Args.front(), "primary"))
      error(Use, Use.Loc,
            "'%0' with 'primary' is not supported; use 'sycl::reqd_sub_group_size' with one of the "
            "device's info::device::sub_group_sizes");
    else
      error(Use, Use.Loc, "'%0' expects 'automatic' or 'primary'");
    return false;
  }

  bool checkProperties(const AttributeUse &Use) {
    llvm::Error Err = checkPropertyList(Use, Ctx);
    bool IsCorrect = !Err;
    llvm::handleAllErrors(std::move(Err), [&](const PropertyListError &E) {
      error(Use, E.range(), "'%0' %1", E.message());
    });
    return IsCorrect;
  }

  bool checkAspect(const AttributeUse &Use, const Expr &Arg) {
    Expr::EvalResult Value;
    if (isAspect(Arg.getType())) {
      // Clang checks this, except for attributes on types in templates.
      if (!Arg.EvaluateAsInt(Value, Ctx)) {
        error(Use, Arg.getSourceRange(), NotConstant);
        return false;
      }
      const llvm::APSInt &Number = Value.Val.getInt();
      if (Number.isNonNegative() && Number.getActiveBits() < MaxAspectBits)
        return true;
      error(Use, Arg.getSourceRange(), "'%0' expects aspects; no aspect has the number %1",
            llvm::toString(Number, 10));
      return false;
    }
    error(Use, Arg.getSourceRange(), "'%0' expects values of type 'sycl::aspect', got %1",
          Arg.getType().getUnqualifiedType());
    return false;
  }

  bool checkIntegers(const AttributeUse &Use, const IntegerArguments &Accepted) {
    size_t Count = Use.Args.size();
    if (Count < Accepted.MinCount || Count > Accepted.MaxCount) {
      bool TooMany = Count > Accepted.MaxCount;
      SourceRange Range = TooMany ? Use.Args[Accepted.MaxCount]->getSourceRange() : Use.Loc;
      error(Use, Range, "'%0' expects %1, got %2", describeCount(Use, Accepted),
            static_cast<unsigned>(Count));
      return false;
    }
    return llvm::all_of(Use.Args, [&](const Expr *It) { return checkInteger(Use, *It, Accepted); });
  }

  static std::string describeCount(const AttributeUse &Use, const IntegerArguments &Accepted) {
    bool AreSizes = Use.Name.contains("group_size");
    if (Accepted.MinCount == 3)
      return "three sizes";
    if (Accepted.MaxCount == 3)
      return "one to three sizes";
    if (Accepted.MinCount == 0)
      return "at most one number";
    return AreSizes ? "one size" : "one number";
  }

  bool checkInteger(const AttributeUse &Use, const Expr &Arg, const IntegerArguments &Accepted) {
    QualType T = Arg.getType();
    Expr::EvalResult Value;
    if (!T->isIntegerType() || T->isBooleanType()) {
      error(Use, Arg.getSourceRange(), "'%0' expects integers, got a value of type %1",
            T.getUnqualifiedType());
      return false;
    }
    if (!Arg.EvaluateAsInt(Value, Ctx)) {
      error(Use, Arg.getSourceRange(), NotConstant);
      return false;
    }
    const llvm::APSInt &Number = Value.Val.getInt();
    if (Number.isNonNegative() && Number.getActiveBits() <= 64 &&
        Number.getZExtValue() >= Accepted.MinValue && Number.getZExtValue() <= Accepted.MaxValue)
      return true;
    error(Use, Arg.getSourceRange(), "'%0' expects %select{numbers|sizes}1 from %2 to %3, got %4",
          Use.Name.contains("group_size"), std::to_string(Accepted.MinValue),
          std::to_string(Accepted.MaxValue), llvm::toString(Number, 10));
    return false;
  }

  /// Whether two attributes of a function must agree. `device_has` and `requires` are two names of
  /// one attribute.
  static bool mustAgree(const AttributeUse &Left, const AttributeUse &Right) {
    auto Kind = [](StringRef Name) { return Name == "requires" ? "device_has" : Name; };
    bool DeclaresAspects = hasAspectArguments(Left.Name) && Left.Name != "uses_aspects";
    return (DeclaresAspects || isSize(Left)) && Kind(Left.Name) == Kind(Right.Name);
  }

  void checkConflicts(const AttributeUses &Before, const AttributeUse &Use) {
    for (const AttributeUse &Other : Before) {
      if (isDependent(Other))
        continue;
      if (mustAgree(Use, Other) && !isSame(Use, Other))
        error(Use, Use.Loc,
              "'%0' conflicts with an earlier attribute; use the same arguments in both");
      else if (const char *Reason = contradiction(Use, Other))
        error(Use, Use.Loc, "'%0' conflicts with '%1': %2", nameOf(Other), Reason);
      else
        continue;
      unsigned DiagID =
          Diags.getCustomDiagID(DiagnosticsEngine::Note, "the earlier attribute is here");
      Diags.Report(Other.Loc, DiagID);
      return;
    }
  }

  /// Returns why two different attributes of a function cannot both hold, or null.
  const char *contradiction(const AttributeUse &Left, const AttributeUse &Right) const {
    if (const char *Reason = orderedContradiction(Left, Right))
      return Reason;
    return orderedContradiction(Right, Left);
  }

  const char *orderedContradiction(const AttributeUse &Limit, const AttributeUse &Use) const {
    if (Limit.Name == NamedSubGroupSize && Use.Name == "reqd_sub_group_size")
      return "a kernel has one sub-group size";
    if (Use.Name != "reqd_work_group_size" && Use.Name != "max_work_group_size")
      return nullptr;
    std::vector<llvm::APSInt> Limits = values(Limit, Ctx), Sizes = values(Use, Ctx);
    if (Limits.empty() || Sizes.empty())
      return nullptr;
    auto IsOne = [](const llvm::APSInt &Size) { return Size == 1; };
    if (Limit.Name == "max_global_work_dim" && Limits.front() == 0 && !llvm::all_of(Sizes, IsOne))
      return "without dimensions, all sizes are 1";
    if (Use.Name != "reqd_work_group_size")
      return nullptr;
    if (Limit.Name == "max_work_group_size" && exceeds(Sizes, Limits))
      return "the required size is larger than the largest one";
    if (Limit.Name == "num_simd_work_items" &&
        Sizes.back().getZExtValue() % Limits.front().getZExtValue())
      return "the last size of the work-group is not a multiple of the number";
    return nullptr;
  }

  /// Whether a size exceeds its limit. The last ones belong to the same dimension.
  static bool exceeds(const std::vector<llvm::APSInt> &Sizes,
                      const std::vector<llvm::APSInt> &Limits) {
    return llvm::any_of(llvm::zip(llvm::reverse(Sizes), llvm::reverse(Limits)), [](auto Pair) {
      return std::get<0>(Pair).getZExtValue() > std::get<1>(Pair).getZExtValue();
    });
  }

  bool isSame(const AttributeUse &Left, const AttributeUse &Right) const {
    std::vector<llvm::APSInt> One = values(Left, Ctx), Two = values(Right, Ctx);
    if (isSize(Left))
      return llvm::equal(One, Two, llvm::APSInt::isSameValue);
    auto Contains = [](const auto &List, const llvm::APSInt &Value) {
      return llvm::any_of(List,
                          [&](const auto &It) { return llvm::APSInt::isSameValue(It, Value); });
    };
    return llvm::all_of(One, [&](const auto &Value) { return Contains(Two, Value); }) &&
           llvm::all_of(Two, [&](const auto &Value) { return Contains(One, Value); });
  }

  Sema &S;
  ASTContext &Ctx;
  DiagnosticsEngine &Diags;
  const AttributeLocations &Locations;
  llvm::DenseSet<SourceLocation> &Reported;
  const NamedDecl *Instance; // null for declarations that are not instances of templates
  llvm::DenseSet<SourceLocation> FunctionTypes;
};

void formatArgument(DiagnosticsEngine::ArgumentKind Kind, intptr_t Value, StringRef Modifier,
                    StringRef Arg, llvm::ArrayRef<DiagnosticsEngine::ArgumentValue> Previous,
                    llvm::SmallVectorImpl<char> &Output, void *Cookie,
                    llvm::ArrayRef<intptr_t> Qualifiers) {
  auto &Names = *static_cast<AttributeNamesInMessages *>(Cookie);
  if (Kind == DiagnosticsEngine::ak_attr_info) {
    const auto *A = reinterpret_cast<const AttributeCommonInfo *>(Value);
    StringRef Name = Names.Locations.nameAt(A->hasScope() ? A->getScopeLoc() : A->getLoc());
    if (!Name.empty()) {
      llvm::raw_svector_ostream(Output) << "'" << Name << "'";
      return;
    }
  }
  FormatASTNodeDiagnosticArgument(Kind, Value, Modifier, Arg, Previous, Output, &Names.Ctx,
                                  Qualifiers);
}

} // namespace

void AttributeChecker::check(Decl &D) {
  auto *FD = dyn_cast<FunctionDecl>(&D);
  bool IsInstance = FD && FD->isTemplateInstantiation();
  // Attributes in correct headers may be wrong for the user's template arguments.
  if (IsInstance && !SawDependent)
    AttributeVisitor(S, Locations, Reported, FD).VisitFunctionDecl(FD);
  if (IsInstance ? !SawDependent : Locations.Unchecked.empty())
    return;
  // The parser passes each declaration when it is complete, but may instantiate templates while it
  // reads one.
  if (!IsInstance)
    Locations.Unchecked.clear();
  AttributeVisitor Visitor(S, Locations, Reported, IsInstance ? FD : nullptr);
  Visitor.TraverseDecl(&D);
  SawDependent |= Visitor.SawDependent;
}

void AttributeChecker::checkClass(TagDecl &TD) {
  auto *RD = dyn_cast<CXXRecordDecl>(&TD);
  if (!RD || RD->isDependentContext())
    return;
  bool IsInstance = isTemplateInstantiation(RD->getTemplateSpecializationKind());
  AttributeVisitor Visitor(S, Locations, Reported, IsInstance ? RD : nullptr);
  if (IsInstance)
    Visitor.VisitDecl(RD);
  // annotateMembers removes the properties of members afterwards.
  for (FieldDecl *Field : RD->fields())
    if (IsInstance || containsPropertyList(attributesOf(*Field)))
      Visitor.VisitDecl(Field);
}

AttributeNamesInMessages::AttributeNamesInMessages(ASTContext &Ctx,
                                                   const AttributeLocations &Locations)
    : Ctx(Ctx), Locations(Locations) {
  Ctx.getDiagnostics().SetArgToStringFn(formatArgument, this);
}

AttributeNamesInMessages::~AttributeNamesInMessages() {
  Ctx.getDiagnostics().SetArgToStringFn(FormatASTNodeDiagnosticArgument, &Ctx);
}

} // namespace dovetail
