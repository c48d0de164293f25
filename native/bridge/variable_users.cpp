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

/// Follows users of the variable transitively until functions are reached.
SmallVector<const Function *> functionsUsing(const GlobalVariable &Variable) {
  SmallVector<const Function *> Functions;
  SmallPtrSet<const User *, 8> Visited;
  SmallVector<const Value *, 8> Worklist = {&Variable};
  while (!Worklist.empty()) {
    for (const User *U : Worklist.pop_back_val()->users()) {
      auto *I = dyn_cast<Instruction>(U);
      const User *Holder = I ? I->getFunction() : U;
      if (!Visited.insert(Holder).second)
        continue;
      if (auto *F = dyn_cast<Function>(Holder))
        Functions.push_back(F);
      else
        Worklist.push_back(Holder);
    }
  }
  return Functions;
}

} // namespace

std::map<std::string, std::vector<std::string>>
variableUsers(ModuleHandle &Handle, const std::vector<std::string> &Names) {
  using UserMap = std::map<std::string, std::vector<std::string>>;
  return Handle.look("listing the users of variables", [&](Module &M) -> Expected<UserMap> {
    DenseMap<const Function *, unsigned> Positions;
    for (const Function &F : M)
      Positions.try_emplace(&F, Positions.size());
    UserMap Users;
    for (const std::string &Name : Names) {
      Expected<GlobalVariable &> Variable = findGlobalVariable(M, Name);
      if (!Variable)
        return Variable.takeError();
      auto Functions = functionsUsing(*Variable);
      sort(Functions, [&](const Function *A, const Function *B) {
        return Positions.lookup(A) < Positions.lookup(B);
      });
      std::vector<std::string> &Found = Users[Name];
      Found.clear(); // a name may be given twice
      for (const Function *F : Functions)
        Found.push_back(F->getName().str());
    }
    return Users;
  });
}

} // namespace dovetail
