// Which functions are kernels, and what else is device code whoever uses it.
#pragma once

#include "facts.h"
#include "variable_properties.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace clang {
class ASTContext;
class CXXRecordDecl;
class Decl;
class DiagnosticsEngine;
class FunctionDecl;
class Sema;
} // namespace clang

namespace dovetail {

/// Collects the kernels from the declarations that the parser hands over one by one.
///
/// Walking the translation unit at its end instead would make clang read in all of a precompiled
/// header and double the time of a small compilation.
class KernelFinder {
public:
  /// `marks`: the names of function properties that make a plain function a kernel.
  KernelFinder(clang::Sema &sema, const llvm::StringSet<> &marks);

  /// Called for every declaration before code is generated for it.
  void consider(clang::Decl &declaration);

  /// Called for every class whose vtable code generation may write.
  void considerVTable(const clang::CXXRecordDecl &record) { vtables.push_back(&record); }

  /// Reports what is wrong with the kernels, which parse and type-check as C++.
  void check() const;

  /// The facts of all kernels that have a definition, in the order in which they were seen, and of
  /// the functions that they and the SYCL_EXTERNAL functions reach. What is wrong with conditional
  /// calls shows only then, and is reported. Host code that clang would compile with them is
  /// emptied.
  Facts facts();

  /// Has code generated for variables with properties. Comes after `facts`.
  void emitVariables() const { variables.emit(sema); }

  /// Gives the plain functions among the kernels entry points of that prefix; comes last.
  void addEntryPoints(const std::string &prefix);

private:
  void considerFunction(clang::FunctionDecl &function);
  bool isMarked(const clang::FunctionDecl &function) const;
  static bool makesPromise(const clang::FunctionDecl &function);
  KernelFact describe(const clang::FunctionDecl &kernel) const;
  void describeName(const clang::FunctionDecl &kernel, KernelFact &fact) const;
  void describePlace(const clang::FunctionDecl &kernel, KernelFact &fact) const;

  clang::Sema &sema;
  clang::ASTContext &context;
  const llvm::StringSet<> &marks;
  llvm::SmallSetVector<clang::FunctionDecl *, 16> kernels;
  llvm::SmallSetVector<clang::FunctionDecl *, 16> others;
  VariableFinder variables;
  std::vector<const clang::CXXRecordDecl *> vtables;
};

} // namespace dovetail
