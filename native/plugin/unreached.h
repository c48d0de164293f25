// Host code that clang would compile for the device together with device code.
//
// Clang also generates code for functions that device code names without calling them: those around
// static variables, whose initialisers are part of them, those in vtables and those whose addresses
// are in constants. Most are the host's, and throw exceptions or use what no device has, for which
// clang generates invalid modules. Nothing on a device can call them, so they need no code.
#pragma once

#include "clang/AST/TypeBase.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <functional>
#include <vector>

namespace clang {
class ASTContext;
class CXXRecordDecl;
class FunctionDecl;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace dovetail {

class UnreachedFunctions {
public:
  using Predicate = std::function<bool(const clang::FunctionDecl &)>;

  UnreachedFunctions(clang::ASTContext &context, Predicate isReached)
      : context(context), isReached(std::move(isReached)) {}

  /// A variable that device code names.
  void addVariable(const clang::VarDecl &variable);

  /// A class of which clang may generate the vtable.
  void addVTable(const clang::CXXRecordDecl &record);

  /// Leaves nothing in the functions but the static variables that device code names.
  void empty();

private:
  /// Those of a class and of the classes of its bases and members.
  void addVTablesIn(clang::QualType type);
  void addFunction(const clang::FunctionDecl &function);
  void addDestructors(const clang::CXXRecordDecl &record);
  void addNamed(const clang::ValueDecl &declaration);

  clang::ASTContext &context;
  Predicate isReached;
  llvm::SmallSetVector<const clang::VarDecl *, 8> variables;
  llvm::SmallSetVector<clang::FunctionDecl *, 16> functions;     // definitions
  llvm::SmallSetVector<const clang::CXXRecordDecl *, 8> classes; // with vtables
  llvm::SmallPtrSet<const clang::CXXRecordDecl *, 8> objects;    // of variables
  llvm::DenseMap<clang::FunctionDecl *, std::vector<clang::VarDecl *>> statics;
};

} // namespace dovetail
