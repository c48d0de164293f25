#include "call_graph.h"

#include "conditional_calls.h"
#include "module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

namespace dovetail {

using namespace llvm;

namespace {

/// The function that a call names, be it through an alias or a cast; null if only a pointer tells.
const Function *namedCallee(const CallBase &call) {
  return dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

class CallGraphReader {
public:
  explicit CallGraphReader(StringRef conditional) : conditional(conditional) {}

  CallGraphData read(const llvm::Module &ir) {
    for (const Function &function : ir) {
      indices.try_emplace(&function, static_cast<int32_t>(graph.names.size()));
      graph.names.push_back(function.getName().str());
      graph.types.push_back(numberOf(*function.getFunctionType()));
    }
    for (const Function &function : ir) {
      readUses(function);
      readIndirectCalls(function);
    }
    return std::move(graph);
  }

private:
  static constexpr int32_t noFunction = -1;

  void readUses(const Function &target) {
    SmallVector<const Constant *, 4> constants;
    for (const Use &use : target.uses()) {
      const User *user = use.getUser();
      if (auto *call = dyn_cast<CallBase>(user); call && call->isCallee(&use))
        addEdge(call->getFunction(), target, EdgeKind::directCall);
      else if (auto *instruction = dyn_cast<Instruction>(user))
        addEdge(instruction->getFunction(), target,
                isAction(use, conditional) ? EdgeKind::conditionalCall : EdgeKind::addressTaken);
      else
        constants.push_back(cast<Constant>(user));
    }
    readConstants(target, std::move(constants));
  }

  /// Climbs from the constants that refer to `target` to the code and globals that hold them.
  void readConstants(const Function &target, SmallVector<const Constant *, 4> pending) {
    SmallPtrSet<const Constant *, 8> seen;
    while (!pending.empty()) {
      const Constant *constant = pending.pop_back_val();
      if (!seen.insert(constant).second)
        continue;
      // An alias is another name of the target, so what refers to it refers to the target.
      if (isa<GlobalValue>(constant) && !isa<GlobalAlias>(constant)) {
        if (!isForTheCompiler(*cast<GlobalValue>(constant)))
          addEdge(dyn_cast<Function>(constant), target, EdgeKind::throughConstant);
        continue;
      }
      for (const Use &use : constant->uses()) {
        if (auto *instruction = dyn_cast<Instruction>(use.getUser()))
          addEdge(instruction->getFunction(), target, kindOf(use, target));
        else
          pending.push_back(cast<Constant>(use.getUser()));
      }
    }
  }

  /// Whether nothing but the compiler reads it, as llvm.used and llvm.global.annotations.
  static bool isForTheCompiler(const GlobalValue &global) {
    return isa<GlobalVariable>(global) && global.getName().starts_with("llvm.");
  }

  /// Of a constant that has to do with `target`, in an instruction.
  EdgeKind kindOf(const Use &use, const Function &target) const {
    if (isAction(use, conditional))
      return EdgeKind::conditionalCall;
    auto *call = dyn_cast<CallBase>(use.getUser());
    bool isCall = call && call->isCallee(&use) && namedCallee(*call) == &target;
    return isCall ? EdgeKind::directCall : EdgeKind::throughConstant;
  }

  void readIndirectCalls(const Function &caller) {
    SmallPtrSet<const FunctionType *, 4> seen;
    for (const Instruction &instruction : instructions(caller)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm() || namedCallee(*call))
        continue;
      if (!seen.insert(call->getFunctionType()).second)
        continue;
      graph.indirectCallers.push_back(indices.lookup(&caller));
      graph.indirectTypes.push_back(numberOf(*call->getFunctionType()));
    }
  }

  void addEdge(const Function *source, const Function &target, EdgeKind kind) {
    graph.sources.push_back(source ? indices.lookup(source) : noFunction);
    graph.targets.push_back(indices.lookup(&target));
    graph.kinds.push_back(static_cast<int32_t>(kind));
  }

  int32_t numberOf(const FunctionType &type) {
    return typeNumbers.try_emplace(&type, static_cast<int32_t>(typeNumbers.size())).first->second;
  }

  StringRef conditional;
  CallGraphData graph;
  DenseMap<const Function *, int32_t> indices;
  DenseMap<const FunctionType *, int32_t> typeNumbers;
};

} // namespace

CallGraphData callGraph(ModuleHandle &module, const std::string &conditional) {
  return module.use("reading the call graph",
                    [&](const llvm::Module &ir) { return CallGraphReader(conditional).read(ir); });
}

} // namespace dovetail
