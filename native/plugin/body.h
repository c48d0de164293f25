// What a function does that matters on a device: the aspects it uses, the functions it calls, and
// what SYCL forbids there.
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

/// Places are where a macro is used, not what is written in it.
struct Body {
  struct Use {
    int64_t aspect;
    std::string what;
    clang::SourceLocation place;
  };
  struct Call {
    const clang::FunctionDecl *callee;
    clang::SourceLocation place;
    std::optional<Condition> condition; // of a call of a conditional caller
  };
  struct Violation {
    llvm::StringRef rule;
    std::string what;
    clang::SourceLocation place;
  };
  /// The use of a constant that refers to a variable which device code cannot use.
  struct Reference {
    const clang::VarDecl *variable;
    const clang::VarDecl *constant;
    clang::SourceLocation place;
  };

  /// One for each aspect and place.
  std::vector<Use> uses;
  /// The aspects, ascending, that are used by marks of functions and classes in code that is
  /// generated: optimisation takes none of them away, as it does with types that are not marked.
  std::set<int64_t> retained;
  /// The first call of each function, under each condition.
  std::vector<Call> calls;
  /// One for each rule and place.
  std::vector<Violation> violations;
  /// One for each variable: harmless unless code is left that needs it.
  std::vector<Reference> references;
  /// Global variables that have properties.
  std::vector<const clang::VarDecl *> variables;
  /// All variables of static storage that are named, each once or more.
  std::vector<const clang::VarDecl *> statics;

  bool isSilent() const {
    return uses.empty() && retained.empty() && violations.empty() && references.empty();
  }
};

/// Reads what a definition evaluates: not what stands in sizeof, decltype and their like, what
/// `if constexpr` discards, or what only the compiler evaluates.
///
/// What marks a function is used by those that call it; of an entry point, which nothing here
/// calls, by itself.
Body readBody(const clang::FunctionDecl &definition, bool isEntry, AspectMarks &marks,
              const clang::ASTContext &context);

} // namespace dovetail
