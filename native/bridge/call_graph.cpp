#include "call_graph.h"

#include "calls.h"
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

class CallGraphReader {
public:
  explicit CallGraphReader(StringRef Conditional) : Conditional(Conditional) {}

  CallGraphData read(const Module &M) {
    for (const Function &F : M) {
      Indices.try_emplace(&F, static_cast<int32_t>(Graph.Names.size()));
      Graph.Names.push_back(F.getName().str());
      Graph.Types.push_back(numberOf(*F.getFunctionType()));
    }
    for (const Function &F : M) {
      readUses(F);
      readIndirectCalls(F);
    }
    return std::move(Graph);
  }

private:
  static constexpr int32_t NoFunction = -1;

  void readUses(const Function &Target) {
    SmallVector<const Constant *, 4> Constants;
    for (const Use &U : Target.uses()) {
      const User *Usr = U.getUser();
      if (auto *Call = dyn_cast<CallBase>(Usr); Call && Call->isCallee(&U))
        addEdge(Call->getFunction(), Target, EdgeKind::DirectCall);
      else if (auto *I = dyn_cast<Instruction>(Usr))
        addEdge(I->getFunction(), Target,
                isAction(U, Conditional) ? EdgeKind::ConditionalCall : EdgeKind::AddressTaken);
      else
        Constants.push_back(cast<Constant>(Usr));
    }
    readConstants(Target, std::move(Constants));
  }

  /// Adds edges from the code and globals that contain constants that refer to `Target`.
  void readConstants(const Function &Target, SmallVector<const Constant *, 4> Worklist) {
    SmallPtrSet<const Constant *, 8> Visited;
    while (!Worklist.empty()) {
      const Constant *C = Worklist.pop_back_val();
      if (!Visited.insert(C).second)
        continue;
      // An alias is another name of the target, so its users refer to the target.
      if (isa<GlobalValue>(C) && !isa<GlobalAlias>(C)) {
        if (!isCompilerList(*cast<GlobalValue>(C)))
          addEdge(dyn_cast<Function>(C), Target, EdgeKind::ThroughConstant);
        continue;
      }
      for (const Use &U : C->uses()) {
        if (auto *I = dyn_cast<Instruction>(U.getUser()))
          addEdge(I->getFunction(), Target, kindOf(U, Target));
        else
          Worklist.push_back(cast<Constant>(U.getUser()));
      }
    }
  }

  /// Whether only the compiler reads the global, such as llvm.used and llvm.global.annotations.
  static bool isCompilerList(const GlobalValue &GV) {
    return isa<GlobalVariable>(GV) && GV.getName().starts_with("llvm.");
  }

  /// Returns the kind of edge for an instruction's use of a constant that refers to `Target`.
  EdgeKind kindOf(const Use &U, const Function &Target) const {
    if (isAction(U, Conditional))
      return EdgeKind::ConditionalCall;
    auto *Call = dyn_cast<CallBase>(U.getUser());
    bool IsCall = Call && Call->isCallee(&U) && namedCallee(*Call) == &Target;
    return IsCall ? EdgeKind::DirectCall : EdgeKind::ThroughConstant;
  }

  void readIndirectCalls(const Function &Caller) {
    SmallPtrSet<const FunctionType *, 4> Visited;
    for (const Instruction &I : instructions(Caller)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || Call->isInlineAsm() || namedCallee(*Call))
        continue;
      if (!Visited.insert(Call->getFunctionType()).second)
        continue;
      Graph.IndirectCallers.push_back(Indices.lookup(&Caller));
      Graph.IndirectTypes.push_back(numberOf(*Call->getFunctionType()));
    }
  }

  void addEdge(const Function *Source, const Function &Target, EdgeKind Kind) {
    Graph.Sources.push_back(Source ? Indices.lookup(Source) : NoFunction);
    Graph.Targets.push_back(Indices.lookup(&Target));
    Graph.Kinds.push_back(static_cast<int32_t>(Kind));
  }

  int32_t numberOf(const FunctionType &FTy) {
    return TypeNumbers.try_emplace(&FTy, static_cast<int32_t>(TypeNumbers.size())).first->second;
  }

  StringRef Conditional;
  CallGraphData Graph;
  DenseMap<const Function *, int32_t> Indices;
  DenseMap<const FunctionType *, int32_t> TypeNumbers;
};

} // namespace

CallGraphData callGraph(ModuleHandle &Handle, const std::string &Conditional) {
  return Handle.use("reading the call graph",
                    [&](const Module &M) { return CallGraphReader(Conditional).read(M); });
}

} // namespace dovetail
