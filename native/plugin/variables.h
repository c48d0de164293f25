// Which global variables device code may use.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clang {
class ASTContext;
class VarDecl;
} // namespace clang

namespace dovetail {

/// What is wrong with a variable that lives as long as the program: the rule, and what a message
/// says about it. Both are empty if it is a constant, or in a device's own memory.
struct VariableFault {
  llvm::StringRef rule;
  llvm::StringRef what;
};
VariableFault faultOf(const clang::VarDecl &variable, const clang::ASTContext &context);

/// The variables with a fault to which a constant refers, itself or through other constants.
std::vector<const clang::VarDecl *> faultyReferences(const clang::VarDecl &constant,
                                                     const clang::ASTContext &context);

} // namespace dovetail
