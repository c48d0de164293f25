#include "variable_users.h"

#include "module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instruction.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Climbs from the variable over what refers to it until functions are reached.
SmallVector<const Function *> functionsUsing(const GlobalVariable &variable) {
  SmallVector<const Function *> functions;
  SmallPtrSet<const User *, 8> seen;
  SmallVector<const Value *, 8> pending = {&variable};
  while (!pending.empty()) {
    for (const User *user : pending.pop_back_val()->users()) {
      auto *instruction = dyn_cast<Instruction>(user);
      const User *holder = instruction ? instruction->getFunction() : user;
      if (!seen.insert(holder).second)
        continue;
      if (auto *function = dyn_cast<Function>(holder))
        functions.push_back(function);
      else
        pending.push_back(holder);
    }
  }
  return functions;
}

} // namespace

std::map<std::string, std::vector<std::string>>
variableUsers(ModuleHandle &module, const std::vector<std::string> &names) {
  return module.look("listing the users of variables", [&](llvm::Module &ir) {
    DenseMap<const Function *, unsigned> positions;
    for (const Function &function : ir)
      positions.try_emplace(&function, positions.size());
    std::map<std::string, std::vector<std::string>> users;
    for (const std::string &name : names) {
      auto functions = functionsUsing(findGlobalVariable(ir, name));
      sort(functions, [&](const Function *a, const Function *b) {
        return positions.lookup(a) < positions.lookup(b);
      });
      std::vector<std::string> &found = users[name];
      found.clear(); // a name may be given twice
      for (const Function *function : functions)
        found.push_back(function->getName().str());
    }
    return users;
  });
}

} // namespace dovetail
