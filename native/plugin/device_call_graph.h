// The call graph of device code: kernels, SYCL_EXTERNAL functions and the functions that they call.
#pragma once

#include "body.h"
#include "facts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/STLExtras.h"
#include <memory>
#include <optional>

namespace clang {
class ASTContext;
class CXXRecordDecl;
class FunctionDecl;
class MangleContext;
class Sema;
class VarDecl;
} // namespace clang

namespace dovetail {

class PlaceTable;

/// A function in the call graph.
struct DeviceFunction {
  struct Call {
    DeviceFunction *Callee;
    clang::SourceLocation Loc;
    Condition Cond; // empty if the call is unconditional
  };

  const clang::FunctionDecl *FD = nullptr; // the definition, if there is one
  bool IsDefined = false;
  bool IsExternal = false;
  bool IsRoot = false;
  bool IsKept = false;                      // in the facts
  std::string Symbol;                       // empty if it is the mangled name
  DeviceFunction *ObjectFunction = nullptr; // the call operator of a kernel's object
  AttributeUses Attributes;
  Body Content;
  std::vector<Call> Calls;
  size_t Index = 0; // in the facts
};

/// Reads each function that device code calls, once. Reading all functions of a source would cost a
/// tenth of its compilation.
class DeviceCallGraph {
public:
  explicit DeviceCallGraph(clang::Sema &S);
  ~DeviceCallGraph();

  /// Adds a function that is device code regardless of callers. `Symbol` is empty if it is the
  /// mangled name.
  const DeviceFunction *addRoot(const clang::FunctionDecl &FD, std::string Symbol = "");

  /// Reads all functions that the roots call. Must be called after all roots have been added.
  void build();

  /// Reports conditional calls whose action passes cannot extract. Must be called after `build`.
  void checkConditionalCalls() const;

  /// Returns the facts of functions that have content, lead to one with content, or are recursive.
  std::vector<FunctionFact> facts(PlaceTable &Places);

  /// Returns the named variables with properties, possibly with repetitions.
  std::vector<const clang::VarDecl *> variables() const;

  /// Empties functions that device code names but does not call; see unreached.h. `VTables` are the
  /// classes whose vtables clang may emit.
  void emptyUnreached(llvm::ArrayRef<const clang::CXXRecordDecl *> VTables) const;

  /// Removes property lists, which clang would emit as annotations. These would keep uncalled
  /// functions alive. Must be called after `facts`.
  void dropProperties() const;

private:
  DeviceFunction &functionFor(const clang::FunctionDecl &FD);
  void read(DeviceFunction &Function);
  /// Returns the calls in user code that lead to a function, directly or through system headers.
  std::vector<clang::SourceLocation> userCalls(const DeviceFunction &Function) const;
  Body::Violation undefined(const clang::FunctionDecl &Callee, clang::SourceLocation Loc) const;
  static DeviceFunction *findObjectFunction(DeviceFunction &Kernel);
  void markKeptFunctions();
  FunctionFact describe(const DeviceFunction &Function, PlaceTable &Places) const;
  std::string symbolOf(const clang::FunctionDecl &FD) const;

  clang::Sema &S;
  clang::ASTContext &Ctx;
  AspectMarks Marks;
  std::unique_ptr<clang::MangleContext> Mangler;
  std::vector<std::unique_ptr<DeviceFunction>> Functions;
  llvm::DenseMap<const clang::FunctionDecl *, DeviceFunction *> Known;
};

} // namespace dovetail

template <> struct llvm::GraphTraits<dovetail::DeviceFunction *> {
  using NodeRef = dovetail::DeviceFunction *;
  using Call = dovetail::DeviceFunction::Call;
  static NodeRef callee(const Call &C) { return C.Callee; }
  using ChildIteratorType =
      llvm::mapped_iterator<std::vector<Call>::const_iterator, NodeRef (*)(const Call &)>;

  static NodeRef getEntryNode(NodeRef Function) { return Function; }
  static ChildIteratorType child_begin(NodeRef Function) {
    return {Function->Calls.begin(), callee};
  }
  static ChildIteratorType child_end(NodeRef Function) { return {Function->Calls.end(), callee}; }
};
