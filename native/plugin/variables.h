// Which global variables device code may use.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clang {
class ASTContext;
class VarDecl;
} // namespace clang

namespace dovetail {

/// The rule that a variable with static or thread storage duration violates, and an adjective for
/// messages. Both are empty if it is a constant, or in device memory.
struct VariableFault {
  llvm::StringRef rule;
  llvm::StringRef what;
};
VariableFault faultOf(const clang::VarDecl &variable, const clang::ASTContext &context);

/// The variables with a fault to which a constant refers, itself or through other constants.
std::vector<const clang::VarDecl *> faultyReferences(const clang::VarDecl &constant,
                                                     const clang::ASTContext &context);

} // namespace dovetail
