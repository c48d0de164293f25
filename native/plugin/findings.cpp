#include "findings.h"
#include "spelling.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/TemplateBase.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;
using llvm::StringRef;

namespace dovetail {

void Findings::addType(const llvm::Twine &What, QualType T, SourceLocation Loc) {
  retainObject(T);
  for (const TypeMark &Mark : Marks.of(T)) {
    std::string Name = quoted(T, Ctx) + relation(Mark);
    if (Mark.Aspect == LongDouble)
      addViolation("long-double", "uses type " + Name, Loc);
    else if (Mark.Aspect == Int128)
      addViolation("int128", "uses type " + Name, Loc);
    else
      addUse(Mark.Aspect, (What + Name).str(), Loc);
  }
}

void Findings::addUse(int64_t Aspect, std::string What, SourceLocation Loc) {
  Loc = locationOf(Loc);
  if (UsesSeen.insert({Aspect, Loc.getRawEncoding()}).second)
    Result.Uses.push_back({Aspect, std::move(What), Loc});
}

void Findings::retain(int64_t Aspect) {
  if (IsEmitted)
    Result.Retained.insert(Aspect);
}

void Findings::retainObject(QualType T) {
  for (const TypeMark &Mark : Marks.ofObject(T))
    if (!Mark.isFundamental())
      retain(Mark.Aspect);
}

void Findings::addTemplateArguments(llvm::ArrayRef<TemplateArgumentLoc> Args) {
  for (const TemplateArgumentLoc &Arg : Args)
    if (Arg.getArgument().getKind() == TemplateArgument::Type)
      addTemplateArgument(Arg.getArgument().getAsType(), Arg.getLocation());
}

void Findings::addTemplateArgument(QualType T, SourceLocation Loc) {
  for (const TypeMark &Mark : Marks.ofArgument(T)) {
    addUse(Mark.Aspect, "template argument " + quoted(Mark.Marked, Ctx), Loc);
    retain(Mark.Aspect);
  }
}

void Findings::addViolation(StringRef Rule, std::string What, SourceLocation Loc) {
  Loc = locationOf(Loc);
  for (const Body::Violation &Known : Result.Violations)
    if (Known.Rule == Rule && Known.Loc == Loc)
      return;
  Result.Violations.push_back({Rule, std::move(What), Loc});
}

void Findings::addReference(const VarDecl &VD, const VarDecl &Constant, SourceLocation Loc) {
  for (const Body::Reference &Known : Result.References)
    if (Known.Variable == &VD)
      return;
  Result.References.push_back({&VD, &Constant, locationOf(Loc)});
}

void Findings::addCall(const FunctionDecl &Callee, SourceLocation Loc,
                       std::optional<Condition> Cond) {
  Loc = locationOf(Loc);
  llvm::SmallVector<size_t, 1> &Seen = CallsSeen[Callee.getCanonicalDecl()];
  for (size_t Known : Seen)
    if (Body::Call &C = Result.Calls[Known]; C.Cond == Cond) {
      // The AST is not always in the order of the source.
      if (Loc.getRawEncoding() < C.Loc.getRawEncoding())
        C.Loc = Loc;
      return;
    }
  Seen.push_back(Result.Calls.size());
  Result.Calls.push_back({Callee.getCanonicalDecl(), Loc, std::move(Cond)});
}

bool Findings::addsMark(QualType T, QualType Other) {
  if (!isMarked(T))
    return false;
  TypeMarks Before = Marks.of(Other);
  return llvm::any_of(Marks.of(T), [&](const TypeMark &Mark) {
    return llvm::none_of(Before, [&](const TypeMark &Old) { return Old.Aspect == Mark.Aspect; });
  });
}

/// Maps implicit code to its function, and the contents of a macro to the expansion. Arguments of
/// macros have their own locations.
SourceLocation Findings::locationOf(SourceLocation Loc) const {
  const SourceManager &SM = Ctx.getSourceManager();
  return SM.getFileLoc(Loc.isValid() ? Loc : FD.getLocation());
}

std::string Findings::relation(const TypeMark &Mark) const {
  if (Mark.Rel == TypeMark::Is)
    return "";
  bool Derives = Mark.Rel == TypeMark::DerivesFrom;
  return (Derives ? ", which derives from " : ", which holds ") + quoted(Mark.Marked, Ctx);
}

} // namespace dovetail
