// Which aspects an attribute names, a function promises or is marked with, a type is built from.
#pragma once

#include "attributes.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace clang {
class FunctionDecl;
class RecordDecl;
} // namespace clang

namespace dovetail {

/// The aspects that `double` and `_Float16` are marked with though no declaration says so.
inline constexpr int64_t fp64 = 6;
inline constexpr int64_t fp16 = 5;

/// Stands where an aspect would: no device has `long double`.
inline constexpr int64_t longDouble = -1;

/// That a type is built from a marked one.
struct TypeMark {
  enum Relation {
    Is, // or a pointer to it, a reference to it, an array of it
    DerivesFrom,
    Holds,
  };
  int64_t aspect;
  clang::QualType marked;
  Relation relation;

  /// Whether no declaration has the mark.
  bool isFundamental() const { return llvm::isa<clang::BuiltinType>(marked.getTypePtr()); }
};
using TypeMarks = llvm::SmallVector<TypeMark, 1>;

/// What a function promises.
struct DeclaredAspects {
  std::string attribute;
  std::vector<int64_t> aspects;
  clang::SourceLocation place;
};

/// The values of an attribute's arguments, as far as they are integers or enumerators.
std::vector<int64_t> numbers(const AttributeUse &attribute, const clang::ASTContext &context);

/// The same of an attribute whose arguments are sizes, which are positive.
std::vector<uint64_t> sizes(const AttributeUse &attribute, const clang::ASTContext &context);

/// What `device_has` or `requires` among a function's attributes promises.
std::optional<DeclaredAspects> declaredAspects(const AttributeUses &attributes,
                                               const clang::ASTContext &context);

/// Remembers every answer: the same few types and functions are asked about again and again.
class AspectMarks {
public:
  explicit AspectMarks(clang::Sema &sema);

  /// For each aspect the first part that needs it, of fundamental types and of others. Valid until
  /// the next question.
  const TypeMarks &of(clang::QualType type);

  /// The same for what an object of the type consists of: its elements, bases and members, not what
  /// it points or refers to.
  const TypeMarks &ofObject(clang::QualType type);

  /// The marks of aliases that an argument of a template is spelled with.
  TypeMarks ofArgument(clang::QualType type);

  /// By uses_aspects on the function itself; what it overrides does not matter.
  const std::vector<int64_t> &of(const clang::FunctionDecl &function);

private:
  clang::Sema &sema;
  const clang::ASTContext &context;
  llvm::DenseMap<const clang::Type *, TypeMarks> types;
  llvm::DenseMap<const clang::Type *, TypeMarks> objects;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<int64_t>> functions;
};

} // namespace dovetail
