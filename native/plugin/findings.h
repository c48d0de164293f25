// Collects the findings in a function without duplicates.
#pragma once

#include "body.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Twine.h"

namespace dovetail {

class Findings {
public:
  Findings(const clang::FunctionDecl &FD, AspectMarks &Marks, const clang::ASTContext &Ctx)
      : FD(FD), Marks(Marks), Ctx(Ctx) {}

  /// Adds a use of each aspect that a type requires. The type's name is appended to `What`.
  void addType(const llvm::Twine &What, clang::QualType T, clang::SourceLocation Loc);
  void addUse(int64_t Aspect, std::string What, clang::SourceLocation Loc);
  /// Records that a mark of a function or class uses an aspect.
  void retain(int64_t Aspect);
  /// Records the marks of classes for an object, or an address within one.
  void retainObject(clang::QualType T);
  /// Adds uses by aliases in template arguments as written: specializations have canonical ones.
  void addTemplateArguments(llvm::ArrayRef<clang::TemplateArgumentLoc> Args);
  void addTemplateArgument(clang::QualType T, clang::SourceLocation Loc);
  void addViolation(llvm::StringRef Rule, std::string What, clang::SourceLocation Loc);
  void addReference(const clang::VarDecl &VD, const clang::VarDecl &Constant,
                    clang::SourceLocation Loc);
  void addCall(const clang::FunctionDecl &Callee, clang::SourceLocation Loc,
               std::optional<Condition> Cond);

  bool isMarked(clang::QualType T) { return !Marks.of(T).empty(); }

  /// Whether a type has a mark that another type does not have.
  bool addsMark(clang::QualType T, clang::QualType Other);

  Body Result;
  /// Whether clang generates code for the expression being read; if not, its uses are not retained.
  bool IsEmitted = true;

private:
  clang::SourceLocation locationOf(clang::SourceLocation Loc) const;
  std::string relation(const TypeMark &Mark) const;

  const clang::FunctionDecl &FD;
  AspectMarks &Marks;
  const clang::ASTContext &Ctx;
  llvm::DenseSet<std::pair<int64_t, unsigned>> UsesSeen;
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallVector<size_t, 1>> CallsSeen;
};

} // namespace dovetail
