// Finds the kernels and the other entry points of device code.
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

/// Collects kernels from the declarations that the parser passes one by one.
///
/// A traversal of the whole translation unit at its end would deserialize all of a precompiled
/// header and double the time of a small compilation.
class KernelFinder {
public:
  /// `Marks` contains the names of function properties that make a plain function a kernel.
  KernelFinder(clang::Sema &S, const llvm::StringSet<> &Marks);

  /// Receives every top-level declaration before code is generated for it.
  void visit(clang::Decl &D);

  /// Receives every class whose vtable clang may emit.
  void visitVTable(const clang::CXXRecordDecl &RD) { VTables.push_back(&RD); }

  /// Reports violations of SYCL's rules in the declarations of kernels.
  void check() const;

  /// Returns the facts of all defined kernels, in source order, and of the functions that they and
  /// SYCL_EXTERNAL functions call. Also reports errors in conditional calls, and empties host
  /// functions that clang would compile for the device.
  Facts facts();

  /// Makes clang emit variables with properties. Must be called after `facts`.
  void emitVariables() const { Variables.emit(S); }

  /// Adds entry points for kernels that are plain functions. Must be called last.
  void addEntryPoints(const std::string &Prefix);

private:
  void visitFunction(clang::FunctionDecl &FD);
  void makeExternal(clang::FunctionDecl &FD) const;
  bool hasKernelMark(const clang::FunctionDecl &FD) const;
  static bool declaresAspects(const clang::FunctionDecl &FD);
  KernelFact describe(const clang::FunctionDecl &Kernel) const;
  void describeName(const clang::FunctionDecl &Kernel, KernelFact &Fact) const;
  void describePlace(const clang::FunctionDecl &Kernel, KernelFact &Fact) const;

  clang::Sema &S;
  clang::ASTContext &Ctx;
  const llvm::StringSet<> &Marks;
  llvm::SmallSetVector<clang::FunctionDecl *, 16> Kernels;
  llvm::SmallSetVector<clang::FunctionDecl *, 16> Others;
  VariableFinder Variables;
  std::vector<const clang::CXXRecordDecl *> VTables;
};

} // namespace dovetail
