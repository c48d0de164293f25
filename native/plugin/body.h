// The aspects that a function uses, its calls, and violations of SYCL's rules for device code.
#pragma once

#include "aspects.h"
#include "conditional_calls.h"
#include "clang/Basic/SourceLocation.h"
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace dovetail {

/// Locations are those of macro expansions, not of macro definitions.
struct Body {
  struct Use {
    int64_t Aspect;
    std::string What;
    clang::SourceLocation Loc;
  };
  struct Call {
    const clang::FunctionDecl *Callee;
    clang::SourceLocation Loc;
    std::optional<Condition> Cond; // if the callee is a conditional caller
  };
  struct Violation {
    llvm::StringRef Rule;
    std::string What;
    clang::SourceLocation Loc;
  };
  /// The use of a constant that refers to a variable which device code cannot use.
  struct Reference {
    const clang::VarDecl *Variable;
    const clang::VarDecl *Constant;
    clang::SourceLocation Loc;
  };

  /// One for each aspect and location.
  std::vector<Use> Uses;
  /// The aspects, ascending, used by marks of functions and classes in code that is generated.
  /// Optimizations do not remove these uses, unlike uses of fundamental types.
  std::set<int64_t> Retained;
  /// The first call of each function, under each condition.
  std::vector<Call> Calls;
  /// One for each rule and location.
  std::vector<Violation> Violations;
  /// One for each variable; errors only if the optimized code still needs the variable.
  std::vector<Reference> References;
  /// Global variables with properties.
  std::vector<const clang::VarDecl *> Variables;
  /// Named variables with static storage duration, possibly with repetitions.
  std::vector<const clang::VarDecl *> Statics;

  bool isEmpty() const {
    return Uses.empty() && Retained.empty() && Violations.empty() && References.empty();
  }
};

/// Reads the evaluated code of a definition. It skips unevaluated operands, branches that
/// `if constexpr` discards, and constant expressions.
///
/// Callers use the marks of a function. An entry point, which has no callers, uses its own.
Body readBody(const clang::FunctionDecl &Def, bool IsEntry, AspectMarks &Marks,
              const clang::ASTContext &Ctx);

} // namespace dovetail
