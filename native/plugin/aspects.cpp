#include "aspects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace dovetail {

namespace {

/// Returns the declaration of an alias, which may have attributes; null for other types.
const NamedDecl *aliasOf(QualType T) {
  if (const auto *Alias = dyn_cast<TypedefType>(T.getTypePtr()))
    return Alias->getDecl();
  const auto *Instance = dyn_cast<TemplateSpecializationType>(T.getTypePtr());
  if (!Instance || !Instance->isTypeAlias())
    return nullptr;
  return Instance->getTemplateName().getAsTemplateDecl()->getTemplatedDecl();
}

/// Which parts of a type are visited.
enum class Parts {
  All,
  Object,  // all but the targets of pointers and references
  Aliases, // aliases in the spelling of a template argument
};

/// Visits the parts of a type, each class once.
class TypeWalk {
public:
  TypeWalk(Sema &S, Parts Visited, TypeMarks &Found)
      : S(S), Ctx(S.getASTContext()), Visited(Visited), Found(Found) {}

  void walk(QualType T) {
    Pending.push_back({T, TypeMark::Is, Visited == Parts::Aliases});
    for (size_t Next = 0; Next < Pending.size(); ++Next)
      step(Pending[Next]);
  }

private:
  struct Part {
    QualType T;
    TypeMark::Relation Rel;
    bool IsArgument = false; // of a template, or a part of one, where only aliases count
  };

  void step(Part P) {
    QualType T = P.T;
    for (QualType Spelled; Spelled != T;) {
      Spelled = T;
      if (const NamedDecl *Alias = aliasOf(T))
        addMarks(*Alias, T, P.Rel);
      if (const auto *Instance = dyn_cast<TemplateSpecializationType>(T.getTypePtr()))
        aliasesAmong(Instance->template_arguments());
      T = T.getSingleStepDesugaredType(Ctx);
    }
    QualType Inner = innerType(T);
    if (!Inner.isNull())
      Pending.push_back({Inner, P.Rel, P.IsArgument});
    else if (P.IsArgument)
      return;
    else if (const auto *Builtin = dyn_cast<BuiltinType>(T))
      fundamental(*Builtin, P.Rel);
    else if (const TagDecl *TD = T->getAsTagDecl())
      declared(*TD, T, P.Rel);
  }

  /// A specialization has canonical arguments; only its spelling contains the aliases.
  void aliasesAmong(llvm::ArrayRef<TemplateArgument> Args) {
    for (const TemplateArgument &Arg : Args)
      if (Arg.getKind() == TemplateArgument::Type)
        Pending.push_back({Arg.getAsType(), TypeMark::Holds, true});
      else if (Arg.getKind() == TemplateArgument::Pack)
        aliasesAmong(Arg.getPackAsArray());
  }

  QualType innerType(QualType T) const {
    if (T->isPointerType() || T->isReferenceType())
      return Visited == Parts::Object ? QualType() : T->getPointeeType();
    if (const ArrayType *Array = Ctx.getAsArrayType(T))
      return Array->getElementType();
    if (const auto *Vector = T->getAs<VectorType>())
      return Vector->getElementType();
    if (const auto *Complex = T->getAs<ComplexType>())
      return Complex->getElementType();
    if (const auto *Atomic = T->getAs<AtomicType>())
      return Atomic->getValueType();
    return QualType();
  }

  void fundamental(const BuiltinType &T, TypeMark::Relation Rel) {
    if (T.getKind() == BuiltinType::Double)
      add(FP64, QualType(&T, 0), Rel);
    else if (T.getKind() == BuiltinType::Float16 || T.getKind() == BuiltinType::Half)
      add(FP16, QualType(&T, 0), Rel);
    else if (T.getKind() == BuiltinType::LongDouble || T.getKind() == BuiltinType::Float128)
      add(LongDouble, QualType(&T, 0), Rel);
    else if ((T.getKind() == BuiltinType::Int128 || T.getKind() == BuiltinType::UInt128) &&
             !Ctx.getTargetInfo().hasInt128Type())
      add(Int128, QualType(&T, 0), Rel);
  }

  void declared(const TagDecl &TD, QualType T, TypeMark::Relation Rel) {
    if (!Seen.insert(TD.getCanonicalDecl()).second)
      return;
    const TagDecl *Def = TD.getDefinition();
    if (!Def && !TD.isDependentType() && Completed++ < MaxCompleted)
      Def = complete(TD);
    // Redeclarations inherit attributes.
    addMarks(*TD.getMostRecentDecl(), T, Rel);
    const auto *RD = dyn_cast_or_null<RecordDecl>(Def);
    if (!RD || RD->isDependentType())
      return;
    if (const auto *Derived = dyn_cast<CXXRecordDecl>(RD)) {
      auto Further = Rel == TypeMark::Holds ? TypeMark::Holds : TypeMark::DerivesFrom;
      for (const CXXBaseSpecifier &Base : Derived->bases())
        Pending.push_back({Base.getType(), Further});
    }
    for (const FieldDecl *Field : RD->fields())
      Pending.push_back({Field->getType(), TypeMark::Holds});
  }

  /// Completes a class template specialization and returns its definition, or null if it has none
  /// or has errors. The whole source has been parsed, so no code depends on whether the class is
  /// complete.
  const TagDecl *complete(const TagDecl &TD) {
    DiagnosticsEngine &Diags = S.getDiagnostics();
    DiagnosticErrorTrap Trap(Diags);
    bool WasQuiet = Diags.getSuppressAllDiagnostics();
    Diags.setSuppressAllDiagnostics(true);
    bool IsComplete = S.isCompleteType(TD.getLocation(), Ctx.getCanonicalTagType(&TD));
    Diags.setSuppressAllDiagnostics(WasQuiet);
    return IsComplete && !Trap.hasErrorOccurred() ? TD.getDefinition() : nullptr;
  }

  void addMarks(const Decl &D, QualType T, TypeMark::Relation Rel) {
    for (const AttributeUse &Use : attributesOf(D))
      if (Use.Name == "uses_aspects")
        for (int64_t Aspect : numbers(Use, Ctx))
          add(Aspect, T.getUnqualifiedType(), Rel);
  }

  void add(int64_t Aspect, QualType T, TypeMark::Relation Rel) {
    TypeMark Added{Aspect, T, Rel};
    auto IsSame = [&](const TypeMark &Mark) {
      return Mark.Aspect == Aspect && Mark.isFundamental() == Added.isFundamental();
    };
    if (llvm::none_of(Found, IsSame))
      Found.push_back(Added);
  }

  /// Limits templates that name ever more specializations of themselves.
  static constexpr unsigned MaxCompleted = 64;

  Sema &S;
  const ASTContext &Ctx;
  Parts Visited;
  unsigned Completed = 0;
  TypeMarks &Found;
  llvm::SmallVector<Part, 16> Pending;
  llvm::SmallPtrSet<const TagDecl *, 16> Seen;
};

} // namespace

/// Returns the values of the arguments that are integral constants.
static std::vector<llvm::APSInt> constants(const AttributeUse &Use, const ASTContext &Ctx) {
  std::vector<llvm::APSInt> Result;
  for (const Expr *Arg : Use.Args) {
    if (Arg->isValueDependent() || !Arg->getType()->isIntegralOrEnumerationType())
      continue;
    Expr::EvalResult Value;
    if (Arg->EvaluateAsInt(Value, Ctx))
      Result.push_back(Value.Val.getInt());
  }
  return Result;
}

std::vector<int64_t> numbers(const AttributeUse &Use, const ASTContext &Ctx) {
  std::vector<int64_t> Result;
  for (const llvm::APSInt &Constant : constants(Use, Ctx))
    Result.push_back(Constant.getExtValue());
  return Result;
}

std::vector<uint64_t> sizes(const AttributeUse &Use, const ASTContext &Ctx) {
  std::vector<uint64_t> Result;
  for (const llvm::APSInt &Constant : constants(Use, Ctx))
    Result.push_back(Constant.getZExtValue());
  return Result;
}

std::optional<DeclaredAspects> declaredAspects(const AttributeUses &Attrs, const ASTContext &Ctx) {
  for (const AttributeUse &Use : Attrs)
    if (Use.Name == "device_has" || Use.Name == "requires")
      return DeclaredAspects{Use.Name.str(), numbers(Use, Ctx), Use.Loc};
  return std::nullopt;
}

AspectMarks::AspectMarks(Sema &S) : S(S), Ctx(S.getASTContext()) {}

const TypeMarks &AspectMarks::of(QualType T) {
  auto [It, Inserted] = Types.try_emplace(T.getTypePtr());
  if (Inserted)
    TypeWalk(S, Parts::All, It->second).walk(QualType(T.getTypePtr(), 0));
  return It->second;
}

const TypeMarks &AspectMarks::ofObject(QualType T) {
  auto [It, Inserted] = Objects.try_emplace(T.getTypePtr());
  if (Inserted)
    TypeWalk(S, Parts::Object, It->second).walk(QualType(T.getTypePtr(), 0));
  return It->second;
}

TypeMarks AspectMarks::ofArgument(QualType T) {
  TypeMarks Found;
  TypeWalk(S, Parts::Aliases, Found).walk(T);
  return Found;
}

const std::vector<int64_t> &AspectMarks::of(const FunctionDecl &FD) {
  auto [It, Inserted] = Functions.try_emplace(FD.getCanonicalDecl());
  if (Inserted)
    for (const AttributeUse &Use : functionAttributes(FD, S))
      if (Use.Name == "uses_aspects")
        llvm::append_range(It->second, numbers(Use, Ctx));
  return It->second;
}

} // namespace dovetail
