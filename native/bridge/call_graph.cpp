#include "call_graph.h"

#include "module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"

namespace dovetail {

using namespace llvm;

namespace {

class CallGraphReader {
public:
  CallGraphData read(const llvm::Module &ir) {
    for (const Function &function : ir) {
      indices.try_emplace(&function, static_cast<int32_t>(graph.names.size()));
      graph.names.push_back(function.getName().str());
    }
    for (const Function &function : ir)
      readUses(function);
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
        addEdge(instruction->getFunction(), target, EdgeKind::addressTaken);
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
      if (isa<GlobalValue>(constant)) {
        addEdge(dyn_cast<Function>(constant), target, EdgeKind::throughConstant);
        continue;
      }
      for (const User *user : constant->users()) {
        if (auto *instruction = dyn_cast<Instruction>(user))
          addEdge(instruction->getFunction(), target, EdgeKind::throughConstant);
        else
          pending.push_back(cast<Constant>(user));
      }
    }
  }

  void addEdge(const Function *source, const Function &target, EdgeKind kind) {
    graph.sources.push_back(source ? indices.lookup(source) : noFunction);
    graph.targets.push_back(indices.lookup(&target));
    graph.kinds.push_back(static_cast<int32_t>(kind));
  }

  CallGraphData graph;
  DenseMap<const Function *, int32_t> indices;
};

} // namespace

CallGraphData callGraph(ModuleHandle &module) {
  return module.use("reading the call graph",
                    [](llvm::Module &ir) { return CallGraphReader().read(ir); });
}

} // namespace dovetail
