// The functions that device code reaches, from its kernels and SYCL_EXTERNAL functions on.
#pragma once

#include "body.h"
#include "facts.h"
#include "llvm/ADT/DenseMap.h"
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

/// Follows calls, and reads each function that it comes to once: to read all of a source costs a
/// tenth of its compilation.
class Reach {
public:
  explicit Reach(clang::Sema &sema);
  ~Reach();

  /// A function that is device code whoever calls it; `symbol` if not its mangled name. Returns a
  /// number for it.
  size_t addRoot(const clang::FunctionDecl &function, std::string symbol = "");

  /// Reads all that can be reached. Comes after the last root.
  void follow();

  /// Reports conditional calls that cannot be taken apart. Comes after `follow`.
  void checkConditionalCalls() const;

  /// Of what was read, only what says something itself or leads to what does.
  std::vector<FunctionFact> facts(PlaceTable &places);

  /// The variables with properties that are named, each once or more.
  std::vector<const clang::VarDecl *> variables() const;

  /// Has code generation leave out what device code names but never calls; see unreached.h.
  /// `vtables` are the classes whose vtables it may write.
  void emptyUnreached(llvm::ArrayRef<const clang::CXXRecordDecl *> vtables) const;

  /// Has code generation forget properties, which it would write down as annotations: functions
  /// that nothing calls any more would still be in use. Comes after `facts`.
  void dropProperties() const;

  /// Which of `facts()` is a root.
  size_t index(size_t root) const { return nodes[root].index; }

  /// Which of `facts()` is the call operator of the object that a kernel is given.
  std::optional<size_t> objectFunction(size_t kernel) const;

private:
  struct Call {
    size_t callee;
    clang::SourceLocation place;
    Condition condition; // empty if the call is made on every device
  };

  struct Node {
    const clang::FunctionDecl *function; // its definition, if there is one
    bool isDefined = false;
    bool isExternal = false;
    bool isRoot = false;
    bool isKept = false;
    std::string symbol;                   // if it is not the mangled name
    std::optional<size_t> objectFunction; // of a kernel
    AttributeUses attributes;
    Body body;
    std::vector<Call> calls;
    size_t index = 0;
  };

  size_t number(const clang::FunctionDecl &function);
  void read(size_t number);
  /// Where the user's code leads to a function through headers of the system alone.
  std::vector<clang::SourceLocation> placesOfUse(size_t used) const;
  Body::Violation undefined(const clang::FunctionDecl &callee, clang::SourceLocation place) const;
  std::optional<size_t> findObjectFunction(size_t kernel) const;
  bool isWorthTelling(const Node &node) const;
  void keepWhatMatters();
  FunctionFact describe(const Node &node, PlaceTable &places) const;
  std::string symbolOf(const clang::FunctionDecl &function) const;

  clang::Sema &sema;
  clang::ASTContext &context;
  AspectMarks marks;
  std::unique_ptr<clang::MangleContext> mangler;
  std::vector<Node> nodes;
  llvm::DenseMap<const clang::FunctionDecl *, size_t> known;
};

} // namespace dovetail
