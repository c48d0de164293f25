// The aspects of attributes, functions and types.
//
// `uses_aspects` marks functions and types with the aspects that their use requires; `double` and
// `_Float16` are marked implicitly. `device_has` and `requires` declare the aspects that a function
// may use.
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

/// The implicit marks of `double` and `_Float16`.
inline constexpr int64_t FP64 = 6;
inline constexpr int64_t FP16 = 5;

/// In place of an aspect: `long double` and `__float128`, which no device has.
inline constexpr int64_t LongDouble = -1;
/// In place of an aspect: `__int128`, where the target does not have it.
inline constexpr int64_t Int128 = -2;

/// A mark of a type: the type is, or contains, a marked type.
struct TypeMark {
  enum Relation {
    Is, // or is a pointer to it, a reference to it or an array of it
    DerivesFrom,
    Holds,
  };
  int64_t Aspect;
  clang::QualType Marked;
  Relation Rel;

  /// Whether the mark is an implicit one.
  bool isFundamental() const { return llvm::isa<clang::BuiltinType>(Marked.getTypePtr()); }
};
using TypeMarks = llvm::SmallVector<TypeMark, 1>;

/// The aspects that a function declares to use at most.
struct DeclaredAspects {
  std::string Attribute;
  std::vector<int64_t> Aspects;
  clang::SourceLocation Loc;
};

/// Returns the values of an attribute's arguments that are integers or enumerators.
std::vector<int64_t> numbers(const AttributeUse &Use, const clang::ASTContext &Ctx);

/// Returns the values of an attribute's arguments that are sizes, which are unsigned.
std::vector<uint64_t> sizes(const AttributeUse &Use, const clang::ASTContext &Ctx);

/// Returns what the first `device_has` or `requires` attribute declares.
std::optional<DeclaredAspects> declaredAspects(const AttributeUses &Attrs,
                                               const clang::ASTContext &Ctx);

/// The marks of types and functions. Results are cached, since the same few types and functions
/// occur again and again.
class AspectMarks {
public:
  explicit AspectMarks(clang::Sema &S);

  /// Returns, for each aspect, the first fundamental part and the first other part of a type that
  /// requires it. The reference is valid until the next call.
  const TypeMarks &of(clang::QualType T);

  /// Returns these parts for the elements, bases and members of an object, without the types that
  /// it points or refers to.
  const TypeMarks &ofObject(clang::QualType T);

  /// Returns the marks of the aliases in the spelling of a template argument.
  TypeMarks ofArgument(clang::QualType T);

  /// Returns the marks of a function itself, without those of functions that it overrides.
  const std::vector<int64_t> &of(const clang::FunctionDecl &FD);

private:
  clang::Sema &S;
  const clang::ASTContext &Ctx;
  llvm::DenseMap<const clang::Type *, TypeMarks> Types;
  llvm::DenseMap<const clang::Type *, TypeMarks> Objects;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<int64_t>> Functions;
};

} // namespace dovetail
