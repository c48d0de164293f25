// Gathers what is found in a function, each thing once.
#pragma once

#include "body.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Twine.h"

namespace dovetail {

class Findings {
public:
  Findings(const clang::FunctionDecl &function, AspectMarks &marks,
           const clang::ASTContext &context)
      : function(function), marks(marks), context(context) {}

  /// A use of each aspect that a type is built from; the type's name follows `what`.
  void type(const llvm::Twine &what, clang::QualType type, clang::SourceLocation place);
  void use(int64_t aspect, std::string what, clang::SourceLocation place);
  /// A use of an aspect by a mark.
  void retain(int64_t aspect);
  /// An object of a type, or an address within one.
  void retainObject(clang::QualType type);
  /// Template arguments in the name of a function, as the source spells them: an instance knows no
  /// aliases.
  void templateArguments(llvm::ArrayRef<clang::TemplateArgumentLoc> arguments);
  void templateArgument(clang::QualType type, clang::SourceLocation place);
  void violation(llvm::StringRef rule, std::string what, clang::SourceLocation place);
  void reference(const clang::VarDecl &variable, const clang::VarDecl &constant,
                 clang::SourceLocation place);
  void call(const clang::FunctionDecl &callee, clang::SourceLocation place,
            std::optional<Condition> condition);

  bool isMarked(clang::QualType type) { return !marks.of(type).empty(); }

  /// Whether a type has a mark that another one has not.
  bool isAdded(clang::QualType type, clang::QualType other);

  Body body;
  /// Whether code is generated for what is read; if not, nothing there is retained.
  bool isEmitted = true;

private:
  clang::SourceLocation placeOf(clang::SourceLocation place) const;
  std::string relation(const TypeMark &mark) const;

  const clang::FunctionDecl &function;
  AspectMarks &marks;
  const clang::ASTContext &context;
  llvm::DenseSet<std::pair<int64_t, unsigned>> usesSeen;
  llvm::DenseMap<const clang::FunctionDecl *, llvm::SmallVector<size_t, 1>> callsSeen;
};

} // namespace dovetail
