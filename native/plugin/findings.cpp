#include "findings.h"
#include "spelling.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/TemplateBase.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using llvm::StringRef;

namespace dovetail {

void Findings::type(const llvm::Twine &what, QualType type, SourceLocation place) {
  retainObject(type);
  for (const TypeMark &mark : marks.of(type)) {
    std::string name = quoted(type, context) + relation(mark);
    if (mark.aspect == longDouble)
      violation("long-double", "uses type " + name, place);
    else
      use(mark.aspect, (what + name).str(), place);
  }
}

void Findings::use(int64_t aspect, std::string what, SourceLocation place) {
  place = placeOf(place);
  if (usesSeen.insert({aspect, place.getRawEncoding()}).second)
    body.uses.push_back({aspect, std::move(what), place});
}

void Findings::retain(int64_t aspect) {
  if (isEmitted)
    body.retained.insert(aspect);
}

void Findings::retainObject(QualType type) {
  for (const TypeMark &mark : marks.ofObject(type))
    if (!mark.isFundamental())
      retain(mark.aspect);
}

void Findings::templateArguments(llvm::ArrayRef<TemplateArgumentLoc> arguments) {
  for (const TemplateArgumentLoc &argument : arguments)
    if (argument.getArgument().getKind() == TemplateArgument::Type)
      templateArgument(argument.getArgument().getAsType(), argument.getLocation());
}

void Findings::templateArgument(QualType type, SourceLocation place) {
  for (const TypeMark &mark : marks.ofArgument(type)) {
    use(mark.aspect, "template argument " + quoted(mark.marked, context), place);
    retain(mark.aspect);
  }
}

void Findings::violation(StringRef rule, std::string what, SourceLocation place) {
  place = placeOf(place);
  for (const Body::Violation &known : body.violations)
    if (known.rule == rule && known.place == place)
      return;
  body.violations.push_back({rule, std::move(what), place});
}

void Findings::reference(const VarDecl &variable, const VarDecl &constant, SourceLocation place) {
  for (const Body::Reference &known : body.references)
    if (known.variable == &variable)
      return;
  body.references.push_back({&variable, &constant, placeOf(place)});
}

void Findings::call(const FunctionDecl &callee, SourceLocation place,
                    std::optional<Condition> condition) {
  place = placeOf(place);
  llvm::SmallVector<size_t, 1> &seen = callsSeen[callee.getCanonicalDecl()];
  for (size_t known : seen)
    if (Body::Call &call = body.calls[known]; call.condition == condition) {
      // Clang's tree has a few things in another order than the source.
      if (place.getRawEncoding() < call.place.getRawEncoding())
        call.place = place;
      return;
    }
  seen.push_back(body.calls.size());
  body.calls.push_back({callee.getCanonicalDecl(), place, std::move(condition)});
}

bool Findings::isAdded(QualType type, QualType other) {
  if (!isMarked(type))
    return false;
  TypeMarks before = marks.of(other);
  return llvm::any_of(marks.of(type), [&](const TypeMark &mark) {
    return llvm::none_of(before, [&](const TypeMark &old) { return old.aspect == mark.aspect; });
  });
}

/// Implicit code has the place of its function; what a macro is given, its own place; what a macro
/// is made of, that of the macro's use.
SourceLocation Findings::placeOf(SourceLocation place) const {
  const SourceManager &sources = context.getSourceManager();
  return sources.getFileLoc(place.isValid() ? place : function.getLocation());
}

std::string Findings::relation(const TypeMark &mark) const {
  if (mark.relation == TypeMark::Is)
    return "";
  bool derives = mark.relation == TypeMark::DerivesFrom;
  return (derives ? ", which derives from " : ", which holds ") + quoted(mark.marked, context);
}

} // namespace dovetail
