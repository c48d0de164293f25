// Conditional calls: those of a function that is declared only and carries an attribute that the
// caller names. They stand for calls of another function, the action, that are made if a condition
// holds:
//
//   call void @conditionally(ptr @action, ARGUMENTS OF THE ACTION..., i32 N1, i32 N2, ...)
//
// The integers are the condition, of which nothing is known here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class CallBase;
class CallInst;
class Function;
class Module;
class StringRef;
class Use;
} // namespace llvm

namespace dovetail {

class ModuleHandle;

using Condition = std::vector<int32_t>;

/// A condition as code has it; an integer that is not constant is nothing.
struct ConditionRecord {
  std::vector<std::optional<int32_t>> Numbers;
};

struct ConditionalCallRecord {
  std::string Caller;
  std::string Callee;
  std::string Action;
  ConditionRecord Cond;
};

/// In the order of the module's code.
std::vector<ConditionalCallRecord> conditionalCalls(ModuleHandle &Handle,
                                                    const std::string &AttrName);

/// An action under a condition, and the function that is to be called for it; nothing if none is.
using ConditionalTargets = std::map<std::pair<std::string, Condition>, std::optional<std::string>>;

/// Makes calls of the targets of the conditional calls that are listed, and removes those that have
/// none. A target that is not in the module is declared there, like the action.
void rewriteConditionalCalls(ModuleHandle &Handle, const std::string &AttrName,
                             const ConditionalTargets &Targets);

/// Whether the use is that of the action in a conditional call; never, if the attribute is empty.
bool isAction(const llvm::Use &U, llvm::StringRef AttrName);

/// The calls of functions with the attribute, defined or declared ones, in the order of the code.
std::vector<llvm::CallInst *> callsOfMarked(llvm::Module &M, llvm::StringRef AttrName,
                                            bool AreDefined);

/// The integers from an argument of a call on.
ConditionRecord readCondition(const llvm::CallBase &Call, unsigned Start);
/// The same, if all are constant; else IRError.
Condition requireConstants(const llvm::CallBase &Call, const ConditionRecord &Cond);

/// Replaces a direct call by a conditional one, with the callee as the action.
void makeConditional(llvm::CallInst &Call, llvm::Function &Conditional, const Condition &Cond);
/// Removes a call whose value is of no use.
void removeCall(llvm::CallBase &Call);

} // namespace dovetail
