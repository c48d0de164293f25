// Removes host functions that clang would compile for the device.
//
// Clang also generates code for functions that device code uses without calls: functions that
// contain static variables, functions in vtables, and functions whose addresses are in constants.
// Most are host functions, which throw exceptions or use features that devices do not have, and for
// which clang would generate invalid modules. Device code cannot call them, so they need no body.
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

  UnreachedFunctions(clang::ASTContext &Ctx, Predicate IsReached)
      : Ctx(Ctx), IsReached(std::move(IsReached)) {}

  /// Adds a variable that device code names.
  void addVariable(const clang::VarDecl &VD);

  /// Adds a class whose vtable clang may emit.
  void addVTable(const clang::CXXRecordDecl &RD);

  /// Empties the functions, except for static variables that device code names.
  void empty();

private:
  /// Adds the vtables of a class, its bases and its members.
  void addVTablesIn(clang::QualType T);
  void addFunction(const clang::FunctionDecl &FD);
  void addDestructors(const clang::CXXRecordDecl &RD);
  void addNamed(const clang::ValueDecl &D);

  clang::ASTContext &Ctx;
  Predicate IsReached;
  llvm::SmallSetVector<const clang::VarDecl *, 8> Variables;
  llvm::SmallSetVector<clang::FunctionDecl *, 16> Functions;     // definitions
  llvm::SmallSetVector<const clang::CXXRecordDecl *, 8> Classes; // with vtables
  llvm::SmallPtrSet<const clang::CXXRecordDecl *, 8> Objects;    // of variables
  llvm::DenseMap<clang::FunctionDecl *, std::vector<clang::VarDecl *>> Statics;
};

} // namespace dovetail
