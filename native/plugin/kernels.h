//===- Which functions are kernels, and what their parameters are -----------------------*- C++
//-*-===//
#ifndef DOVETAIL_PLUGIN_KERNELS_H
#define DOVETAIL_PLUGIN_KERNELS_H

#include "facts.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
} // namespace clang

namespace dovetail {

/// Collects the kernels from the declarations that the parser hands over one by one.
///
/// Walking the translation unit at its end instead would make clang read in all of a precompiled
/// header and double the time of a small compilation.
class KernelFinder {
public:
  /// Marks: the names of function properties that make a plain function a kernel.
  KernelFinder(clang::ASTContext &Context, const llvm::StringSet<> &Marks)
      : Context(Context), Marks(Marks) {}

  /// Called for every declaration before code is generated for it.
  void consider(clang::Decl &D);

  /// The facts of all kernels that have a definition, in the order in which they were seen.
  std::vector<KernelFact> facts() const;

private:
  void considerFunction(clang::FunctionDecl &F);
  bool isMarked(const clang::FunctionDecl &F) const;
  KernelFact describe(const clang::FunctionDecl &F) const;

  clang::ASTContext &Context;
  const llvm::StringSet<> &Marks;
  llvm::SmallSetVector<clang::FunctionDecl *, 16> Kernels;
};

} // namespace dovetail

#endif
