// Conditional callers: functions with a body that calls the action, and an attribute. Their last
// parameters, of which the body makes no use, are the condition. Their calls become conditional
// calls (conditional_calls.h), plain calls of the action, or none.
#pragma once

#include "conditional_calls.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dovetail {

struct ConditionalCallerRecord {
  std::string Name;
  /// What it calls, if it returns nothing and makes exactly one direct call, whose value it does
  /// not use either.
  std::optional<std::string> Action;
  /// Calls in its body, those of intrinsics aside.
  unsigned CallCount;
  /// Whether something else than a call refers to it, lists for the compiler aside.
  bool IsReferenced;
  /// Who calls it with which condition, in the order of the code.
  std::vector<std::pair<std::string, ConditionRecord>> Calls;
};

/// In the order of the module.
std::vector<ConditionalCallerRecord> conditionalCallers(ModuleHandle &Handle,
                                                        const std::string &AttrName);

/// What becomes of the calls of a caller with a condition: a conditional call of the named function
/// with another condition, a plain call of the action (true), or none (false).
using Expansion = std::variant<bool, std::pair<std::string, Condition>>;
using ExpansionMap = std::map<std::pair<std::string, Condition>, Expansion>;

/// Inlines all conditional callers, which takes along what their bodies do with the arguments, and
/// expands their calls. The callers are gone then.
void expandConditionalCallers(ModuleHandle &Handle, const std::string &AttrName,
                              const ExpansionMap &Expansions);

} // namespace dovetail
