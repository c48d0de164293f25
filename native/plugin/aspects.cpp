#include "aspects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;
using llvm::StringRef;

namespace dovetail {

namespace {

/// The declaration that says whether something is an alias with attributes, else null.
const NamedDecl *aliasOf(QualType type) {
  if (const auto *alias = dyn_cast<TypedefType>(type.getTypePtr()))
    return alias->getDecl();
  const auto *instance = dyn_cast<TemplateSpecializationType>(type.getTypePtr());
  if (!instance || !instance->isTypeAlias())
    return nullptr;
  return instance->getTemplateName().getAsTemplateDecl()->getTemplatedDecl();
}

/// What counts as a part of a type.
enum class Parts {
  All,
  Object,  // nothing that is only pointed or referred to
  Aliases, // what a template argument is spelled with
};

/// Walks through all that a type is built from, each class once.
class TypeWalk {
public:
  TypeWalk(Sema &sema, Parts parts, TypeMarks &found)
      : sema(sema), context(sema.getASTContext()), parts(parts), found(found) {}

  void walk(QualType type) {
    pending.push_back({type, TypeMark::Is, parts == Parts::Aliases});
    for (size_t next = 0; next < pending.size(); ++next)
      step(pending[next]);
  }

private:
  struct Part {
    QualType type;
    TypeMark::Relation relation;
    bool isArgument = false; // of a template, or a part of one: only aliases count
  };

  void step(const Part part) {
    auto [type, relation, isArgument] = part;
    for (QualType spelled; spelled != type;) {
      spelled = type;
      if (const NamedDecl *alias = aliasOf(type))
        marked(*alias, type, relation);
      if (const auto *instance = dyn_cast<TemplateSpecializationType>(type.getTypePtr()))
        aliasesAmong(instance->template_arguments());
      type = type.getSingleStepDesugaredType(context);
    }
    QualType inner = innerType(type);
    if (!inner.isNull())
      pending.push_back({inner, relation, isArgument});
    else if (isArgument)
      return;
    else if (const auto *builtin = dyn_cast<BuiltinType>(type))
      fundamental(*builtin, relation);
    else if (const TagDecl *tag = type->getAsTagDecl())
      declared(*tag, type, relation);
  }

  /// An instance is made with the type that an alias names; only its spelling still has the alias.
  void aliasesAmong(llvm::ArrayRef<TemplateArgument> arguments) {
    for (const TemplateArgument &argument : arguments)
      if (argument.getKind() == TemplateArgument::Type)
        pending.push_back({argument.getAsType(), TypeMark::Holds, true});
      else if (argument.getKind() == TemplateArgument::Pack)
        aliasesAmong(argument.getPackAsArray());
  }

  QualType innerType(QualType type) const {
    if (type->isPointerType() || type->isReferenceType())
      return parts == Parts::Object ? QualType() : type->getPointeeType();
    if (const ArrayType *array = context.getAsArrayType(type))
      return array->getElementType();
    if (const auto *vector = type->getAs<VectorType>())
      return vector->getElementType();
    if (const auto *complex = type->getAs<ComplexType>())
      return complex->getElementType();
    if (const auto *atomic = type->getAs<AtomicType>())
      return atomic->getValueType();
    return QualType();
  }

  void fundamental(const BuiltinType &type, TypeMark::Relation relation) {
    if (type.getKind() == BuiltinType::Double)
      add(fp64, QualType(&type, 0), relation);
    else if (type.getKind() == BuiltinType::Float16 || type.getKind() == BuiltinType::Half)
      add(fp16, QualType(&type, 0), relation);
    else if (type.getKind() == BuiltinType::LongDouble)
      add(longDouble, QualType(&type, 0), relation);
  }

  void declared(const TagDecl &tag, QualType type, TypeMark::Relation relation) {
    if (!seen.insert(tag.getCanonicalDecl()).second)
      return;
    const TagDecl *definition = tag.getDefinition();
    if (!definition && !tag.isDependentType() && completed++ < mostCompleted)
      definition = complete(tag);
    // Later declarations have the attributes of the earlier ones.
    marked(*tag.getMostRecentDecl(), type, relation);
    const auto *record = dyn_cast_or_null<RecordDecl>(definition);
    if (!record || record->isDependentType())
      return;
    if (const auto *derived = dyn_cast<CXXRecordDecl>(record)) {
      auto further = relation == TypeMark::Holds ? TypeMark::Holds : TypeMark::DerivesFrom;
      for (const CXXBaseSpecifier &base : derived->bases())
        pending.push_back({base.getType(), further});
    }
    for (const FieldDecl *field : record->fields())
      pending.push_back({field->getType(), TypeMark::Holds});
  }

  /// The definition of an instance of a template, if it has one and clang finds no fault with it.
  /// The source has been parsed to its end, so that nothing depends on whether the class is
  /// complete.
  const TagDecl *complete(const TagDecl &tag) {
    DiagnosticsEngine &diagnostics = sema.getDiagnostics();
    DiagnosticErrorTrap errors(diagnostics);
    bool wasQuiet = diagnostics.getSuppressAllDiagnostics();
    diagnostics.setSuppressAllDiagnostics(true);
    bool isComplete = sema.isCompleteType(tag.getLocation(), context.getCanonicalTagType(&tag));
    diagnostics.setSuppressAllDiagnostics(wasQuiet);
    return isComplete && !errors.hasErrorOccurred() ? tag.getDefinition() : nullptr;
  }

  void marked(const Decl &declaration, QualType type, TypeMark::Relation relation) {
    for (const AttributeUse &use : attributesOf(declaration))
      if (use.name == "uses_aspects")
        for (int64_t aspect : numbers(use, context))
          add(aspect, type.getUnqualifiedType(), relation);
  }

  void add(int64_t aspect, QualType type, TypeMark::Relation relation) {
    TypeMark added{aspect, type, relation};
    auto isSame = [&](const TypeMark &mark) {
      return mark.aspect == aspect && mark.isFundamental() == added.isFundamental();
    };
    if (llvm::none_of(found, isSame))
      found.push_back(added);
  }

  /// A template can name ever more instances of itself.
  static constexpr unsigned mostCompleted = 64;

  Sema &sema;
  const ASTContext &context;
  Parts parts;
  unsigned completed = 0;
  TypeMarks &found;
  llvm::SmallVector<Part, 16> pending;
  llvm::SmallPtrSet<const TagDecl *, 16> seen;
};

} // namespace

/// The arguments that are known.
static std::vector<llvm::APSInt> constants(const AttributeUse &attribute,
                                           const ASTContext &context) {
  std::vector<llvm::APSInt> result;
  for (const Expr *argument : attribute.arguments) {
    if (argument->isValueDependent() || !argument->getType()->isIntegralOrEnumerationType())
      continue;
    Expr::EvalResult value;
    if (argument->EvaluateAsInt(value, context))
      result.push_back(value.Val.getInt());
  }
  return result;
}

std::vector<int64_t> numbers(const AttributeUse &attribute, const ASTContext &context) {
  std::vector<int64_t> result;
  for (const llvm::APSInt &constant : constants(attribute, context))
    result.push_back(constant.getExtValue());
  return result;
}

std::vector<uint64_t> sizes(const AttributeUse &attribute, const ASTContext &context) {
  std::vector<uint64_t> result;
  for (const llvm::APSInt &constant : constants(attribute, context))
    result.push_back(constant.getZExtValue());
  return result;
}

std::optional<DeclaredAspects> declaredAspects(const AttributeUses &attributes,
                                               const ASTContext &context) {
  for (const AttributeUse &use : attributes)
    if (use.name == "device_has" || use.name == "requires")
      return DeclaredAspects{use.name.str(), numbers(use, context), use.place};
  return std::nullopt;
}

AspectMarks::AspectMarks(Sema &sema) : sema(sema), context(sema.getASTContext()) {}

const TypeMarks &AspectMarks::of(QualType type) {
  auto [entry, isNew] = types.try_emplace(type.getTypePtr());
  if (isNew)
    TypeWalk(sema, Parts::All, entry->second).walk(QualType(type.getTypePtr(), 0));
  return entry->second;
}

const TypeMarks &AspectMarks::ofObject(QualType type) {
  auto [entry, isNew] = objects.try_emplace(type.getTypePtr());
  if (isNew)
    TypeWalk(sema, Parts::Object, entry->second).walk(QualType(type.getTypePtr(), 0));
  return entry->second;
}

TypeMarks AspectMarks::ofArgument(QualType type) {
  TypeMarks found;
  TypeWalk(sema, Parts::Aliases, found).walk(type);
  return found;
}

const std::vector<int64_t> &AspectMarks::of(const FunctionDecl &function) {
  auto [entry, isNew] = functions.try_emplace(function.getCanonicalDecl());
  if (isNew)
    for (const AttributeUse &use : functionAttributes(function, sema))
      if (use.name == "uses_aspects")
        llvm::append_range(entry->second, numbers(use, context));
  return entry->second;
}

} // namespace dovetail
