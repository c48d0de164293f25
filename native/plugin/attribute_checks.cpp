#include "attribute_checks.h"
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

/// Whether it is sycl::aspect, in whatever inline namespace.
bool isAspect(QualType type) {
  const auto *tag = type->getAsTagDecl();
  if (!tag || !isa<EnumDecl>(tag) || tag->getName() != "aspect")
    return false;
  const DeclContext *around = tag->getDeclContext();
  while (around->isInlineNamespace())
    around = around->getParent();
  const auto *space = dyn_cast<NamespaceDecl>(around);
  return space && space->getName() == "sycl" &&
         space->getParent()->getRedeclContext()->isTranslationUnit();
}

/// Numbers of aspects have fewer bits: facts.py has the limit, MAX_ASPECTS.
constexpr unsigned maxAspectBits = 13;

std::vector<llvm::APSInt> values(const AttributeUse &use, const ASTContext &context) {
  std::vector<llvm::APSInt> result;
  for (const Expr *argument : use.arguments) {
    Expr::EvalResult value;
    if (argument->EvaluateAsInt(value, context))
      result.push_back(value.Val.getInt());
  }
  return result;
}

bool isDependent(const AttributeUse &use) {
  return llvm::any_of(use.arguments, [](const Expr *argument) {
    return argument->isValueDependent() || argument->isTypeDependent();
  });
}

/// Whether only an instance of the template has the attribute's arguments, name included.
bool isOfInstances(const AnnotateAttr &annotation) { return annotation.delayedArgs_size(); }

/// The attributes that are written on this very declaration.
AttributeUses ownAttributes(const FunctionDecl &function, Sema &sema) {
  AttributeUses uses;
  if (function.hasAttrs())
    for (const auto *annotation : function.specific_attrs<AnnotateAttr>())
      if (auto use = asOurs(*annotation); use && !annotation->isInherited())
        uses.push_back(std::move(*use));
  llvm::append_range(uses, typeAttributes(function, sema));
  return uses;
}

class AttributeVisitor : public RecursiveASTVisitor<AttributeVisitor> {
public:
  /// `wrong` has the places of attributes in which errors were found, so that instances of the
  /// template that they stand in do not tell of them again.
  AttributeVisitor(Sema &sema, const AttributePlaces &places, llvm::DenseSet<SourceLocation> &wrong,
                   const NamedDecl *instance)
      : sema(sema), context(sema.getASTContext()), diagnostics(context.getDiagnostics()),
        places(places), wrong(wrong), instance(instance) {}

  bool VisitDecl(Decl *declaration) {
    // Functions have a way of their own.
    if (isa<FunctionDecl>(declaration) || !declaration->hasAttrs())
      return true;
    bool isType = isa<TagDecl, TypedefNameDecl>(declaration), isStray = false;
    for (const auto *annotation : declaration->specific_attrs<AnnotateAttr>()) {
      sawDependent |= isOfInstances(*annotation);
      auto use = asOurs(*annotation);
      if (!use || annotation->isInherited())
        continue;
      isStray |= !isType && !isa<FieldDecl>(declaration) && takesProperties(use->name);
      if (takesProperties(use->name) || (isType && use->name == "uses_aspects"))
        checkArguments(*use);
      else
        misplaced(*use);
    }
    // Clang would write it down as an annotation of the variable.
    if (isStray)
      dropOurs(*declaration);
    return true;
  }

  bool VisitFunctionDecl(FunctionDecl *function) {
    checkFunction(*function);
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr *lambda) {
    checkFunction(*lambda->getCallOperator());
    return true;
  }

  bool VisitAttributedStmt(AttributedStmt *statement) {
    for (const Attr *attribute : statement->getAttrs())
      if (auto use = asOurs(*attribute))
        misplaced(*use);
    return true;
  }

  bool VisitAttributedTypeLoc(AttributedTypeLoc type) {
    if (const Attr *attribute = type.getAttr())
      if (auto use = asOurs(*attribute); use && !functionTypes.contains(use->place))
        misplaced(*use);
    return true;
  }

  bool sawDependent = false;

private:
  /// An error about an attribute of ours, whose name is the first argument of the text.
  template <unsigned Size, class... Arguments>
  void error(const AttributeUse &use, SourceRange place, const char (&text)[Size],
             const Arguments &...arguments) {
    if (!instance)
      wrong.insert(use.place);
    else if (wrong.contains(use.place))
      return;
    unsigned id = diagnostics.getCustomDiagID(DiagnosticsEngine::Error, text);
    ((diagnostics.Report(place.getBegin(), id) << place << nameOf(use)) << ... << arguments);
    if (instance)
      noteInstance();
  }

  void noteInstance() {
    SourceLocation requested;
    if (const auto *function = dyn_cast<FunctionDecl>(instance))
      requested = function->getPointOfInstantiation();
    else if (const auto *record = dyn_cast<ClassTemplateSpecializationDecl>(instance))
      requested = record->getPointOfInstantiation();
    // Rather where the user's code asks for what leads there.
    const SourceManager &sources = context.getSourceManager();
    for (const auto &around : llvm::reverse(sema.CodeSynthesisContexts))
      if (!sources.isInSystemHeader(requested))
        break;
      else if (around.PointOfInstantiation.isValid())
        requested = around.PointOfInstantiation;
    unsigned id = diagnostics.getCustomDiagID(DiagnosticsEngine::Note,
                                              "in instantiation of %q0 requested here");
    diagnostics.Report(requested, id) << instance;
  }

  std::string nameOf(const AttributeUse &use) const {
    StringRef name = places.nameAt(use.place);
    return (name.empty() ? use.name : name).str();
  }

  void misplaced(const AttributeUse &use) {
    if (use.name == "uses_aspects")
      error(use, use.place, "'%0' belongs on a function or a type");
    else if (takesAspects(use.name) || isSize(use))
      error(use, use.place, "'%0' belongs on a function");
  }

  static bool isSize(const AttributeUse &use) {
    return use.name.starts_with("reqd_") || use.name == "work_group_size_hint";
  }

  void checkFunction(const FunctionDecl &function) {
    AttributeUses own = ownAttributes(function, sema);
    if (own.empty())
      return;
    for (const AttributeUse &use : typeAttributes(function, sema))
      functionTypes.insert(use.place);
    // Clang's types have the last attribute outside.
    llvm::sort(own, [](const AttributeUse &left, const AttributeUse &right) {
      return left.place.getRawEncoding() < right.place.getRawEncoding();
    });
    AttributeUses before;
    for (const auto *other = function.getPreviousDecl(); other; other = other->getPreviousDecl())
      llvm::append_range(before, ownAttributes(*other, sema));
    for (const AttributeUse &use : own) {
      if (!checkArguments(use))
        continue;
      checkAgainst(before, use);
      before.push_back(use);
    }
  }

  /// Whether they are right, as far as they are known.
  bool checkArguments(const AttributeUse &use) {
    if (isDependent(use)) {
      sawDependent = true;
      return false;
    }
    if (takesAspects(use.name))
      return llvm::all_of(use.arguments, [&](const Expr *it) { return checkAspect(use, *it); });
    if (isSize(use))
      return checkSizes(use);
    if (takesProperties(use.name))
      return checkProperties(use);
    return true;
  }

  bool checkProperties(const AttributeUse &use) {
    std::optional<PropertyFault> fault = faultIn(use, context);
    if (fault)
      error(use, fault->place, "'%0' %1", fault->what);
    return !fault;
  }

  bool checkAspect(const AttributeUse &use, const Expr &argument) {
    Expr::EvalResult value;
    if (isAspect(argument.getType())) {
      // Clang has seen to this, except behind parameters in templates.
      if (!argument.EvaluateAsInt(value, context)) {
        error(use, argument.getSourceRange(), "'%0' takes constants");
        return false;
      }
      const llvm::APSInt &number = value.Val.getInt();
      if (number.isNonNegative() && number.getActiveBits() < maxAspectBits)
        return true;
      error(use, argument.getSourceRange(), "'%0' takes aspects; there is none of number %1",
            llvm::toString(number, 10));
      return false;
    }
    error(use, argument.getSourceRange(),
          "'%0' takes values of type 'sycl::aspect'; this has type %1",
          argument.getType().getUnqualifiedType());
    return false;
  }

  bool checkSizes(const AttributeUse &use) {
    size_t most = use.name == "reqd_sub_group_size" ? 1 : 3;
    size_t count = use.arguments.size();
    if (count == 0 || count > most) {
      SourceRange place = count ? use.arguments[most]->getSourceRange() : use.place;
      error(use, place, "'%0' takes %select{one size|one to three sizes}1", most == 3);
      return false;
    }
    return llvm::all_of(use.arguments, [&](const Expr *it) { return checkSize(use, *it); });
  }

  bool checkSize(const AttributeUse &use, const Expr &argument) {
    QualType type = argument.getType();
    Expr::EvalResult value;
    if (!type->isIntegerType() || type->isBooleanType() ||
        !argument.EvaluateAsInt(value, context)) {
      error(use, argument.getSourceRange(), "'%0' takes whole numbers; this has type %1",
            type.getUnqualifiedType());
      return false;
    }
    const llvm::APSInt &number = value.Val.getInt();
    // SYCL has size_t for work-groups and uint32_t for sub-groups.
    unsigned bits = use.name == "reqd_sub_group_size" ? 32 : 64;
    if (number.isStrictlyPositive() && number.getActiveBits() <= bits)
      return true;
    error(use, argument.getSourceRange(), "'%0' takes sizes from 1 to %1; this is %2",
          std::to_string(llvm::maxUIntN(bits)), llvm::toString(number, 10));
    return false;
  }

  /// `device_has` and `requires` are two names for one promise.
  static bool areRivals(const AttributeUse &left, const AttributeUse &right) {
    auto kind = [](StringRef name) { return name == "requires" ? "device_has" : name; };
    bool isPromise = takesAspects(left.name) && left.name != "uses_aspects";
    return (isPromise || isSize(left)) && kind(left.name) == kind(right.name);
  }

  void checkAgainst(const AttributeUses &before, const AttributeUse &use) {
    for (const AttributeUse &other : before) {
      if (!areRivals(use, other) || isDependent(other) || isSame(use, other))
        continue;
      error(use, use.place, "'%0' differs from what was said before");
      unsigned id = diagnostics.getCustomDiagID(DiagnosticsEngine::Note, "that was here");
      diagnostics.Report(other.place, id);
      return;
    }
  }

  bool isSame(const AttributeUse &left, const AttributeUse &right) const {
    std::vector<llvm::APSInt> one = values(left, context), two = values(right, context);
    if (isSize(left))
      return llvm::equal(one, two, llvm::APSInt::isSameValue);
    auto contains = [](const auto &list, const llvm::APSInt &value) {
      return llvm::any_of(list,
                          [&](const auto &it) { return llvm::APSInt::isSameValue(it, value); });
    };
    return llvm::all_of(one, [&](const auto &value) { return contains(two, value); }) &&
           llvm::all_of(two, [&](const auto &value) { return contains(one, value); });
  }

  Sema &sema;
  ASTContext &context;
  DiagnosticsEngine &diagnostics;
  const AttributePlaces &places;
  llvm::DenseSet<SourceLocation> &wrong;
  const NamedDecl *instance; // of a template, if that is what is looked at
  llvm::DenseSet<SourceLocation> functionTypes;
};

void formatArgument(DiagnosticsEngine::ArgumentKind kind, intptr_t value, StringRef modifier,
                    StringRef argument, llvm::ArrayRef<DiagnosticsEngine::ArgumentValue> previous,
                    llvm::SmallVectorImpl<char> &output, void *cookie,
                    llvm::ArrayRef<intptr_t> qualifiers) {
  auto &names = *static_cast<AttributeNamesInMessages *>(cookie);
  if (kind == DiagnosticsEngine::ak_attr_info) {
    const auto *attribute = reinterpret_cast<const AttributeCommonInfo *>(value);
    StringRef name = names.places.nameAt(attribute->getScopeLoc());
    if (!name.empty()) {
      llvm::raw_svector_ostream(output) << "'" << name << "'";
      return;
    }
  }
  FormatASTNodeDiagnosticArgument(kind, value, modifier, argument, previous, output, &names.context,
                                  qualifiers);
}

} // namespace

void AttributeChecker::check(Decl &declaration) {
  auto *function = dyn_cast<FunctionDecl>(&declaration);
  bool isInstance = function && function->isTemplateInstantiation();
  // What headers are given by the user can be wrong, though they are right themselves.
  if (isInstance && !sawDependent)
    AttributeVisitor(sema, places, wrong, function).VisitFunctionDecl(function);
  if (isInstance ? !sawDependent : places.unchecked.empty())
    return;
  // The parser hands over each declaration as soon as it has read it, but may make instances of
  // templates while it reads one.
  if (!isInstance)
    places.unchecked.clear();
  AttributeVisitor visitor(sema, places, wrong, isInstance ? function : nullptr);
  visitor.TraverseDecl(&declaration);
  sawDependent |= visitor.sawDependent;
}

void AttributeChecker::checkClass(TagDecl &tag) {
  auto *record = dyn_cast<CXXRecordDecl>(&tag);
  if (!record || record->isDependentContext())
    return;
  bool isInstance = isTemplateInstantiation(record->getTemplateSpecializationKind());
  AttributeVisitor visitor(sema, places, wrong, isInstance ? record : nullptr);
  if (isInstance)
    visitor.VisitDecl(record);
  // Of members, properties are taken away as soon as they were looked at.
  for (FieldDecl *field : record->fields())
    if (isInstance || anyTakesProperties(attributesOf(*field)))
      visitor.VisitDecl(field);
}

AttributeNamesInMessages::AttributeNamesInMessages(ASTContext &context,
                                                   const AttributePlaces &places)
    : context(context), places(places) {
  context.getDiagnostics().SetArgToStringFn(formatArgument, this);
}

AttributeNamesInMessages::~AttributeNamesInMessages() {
  context.getDiagnostics().SetArgToStringFn(FormatASTNodeDiagnosticArgument, &context);
}

} // namespace dovetail
