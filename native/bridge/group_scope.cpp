#include "group_scope.h"

#include "calls.h"
#include "module.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace dovetail {

using namespace llvm;

namespace {

using BlockSet = SmallSetVector<BasicBlock *, 8>;

/// The functions of GroupScopeCalls in a module.
struct Callees {
  SmallPtrSet<const Function *, 8> Collective;
  Function *Allocate;
  Function *Frame;
  Function *Barrier;
};

/// Code that only the leader runs: it enters at `Begin` and leaves to `End`.
struct LeaderRegion {
  BasicBlock *Begin;
  BasicBlock *End;
  BlockSet Blocks;
};

/// Rewrites one function.
class GroupScope {
public:
  GroupScope(Function &F, const Callees &Calls, AddressSpaces Spaces)
      : F(F), M(*F.getParent()), DL(M.getDataLayout()), Calls(Calls), Spaces(Spaces) {}

  Error run() {
    removeLifetimes();
    for (CallInst *Call : callsOf(Calls.Barrier))
      Call->eraseFromParent();
    if (Error Err = allocatePrivate())
      return Err;
    if (Error Err = shareVariables())
      return Err;
    splitBlocks();
    demoteValues();
    guardRegions(findRegions());
    return Error::success();
  }

private:
  // All blocks that this makes stay correct if variables live longer.
  void removeLifetimes() {
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Marker = dyn_cast<LifetimeIntrinsic>(&I))
        Marker->eraseFromParent();
  }

  template <typename Instr> SmallVector<Instr *> all() {
    SmallVector<Instr *> Found;
    for (Instruction &I : instructions(F))
      if (auto *Wanted = dyn_cast<Instr>(&I))
        Found.push_back(Wanted);
    return Found;
  }

  SmallVector<CallInst *> callsOf(const Function *Callee) {
    SmallVector<CallInst *> Found;
    for (CallInst *Call : all<CallInst>())
      if (Callee && Call->getCalledFunction() == Callee)
        Found.push_back(Call);
    return Found;
  }

  bool isCollective(const Instruction &I) const {
    auto *Call = dyn_cast<CallInst>(&I);
    return Call && Calls.Collective.contains(Call->getCalledFunction());
  }

  /// Assigns offsets to private allocations, and makes the frame of the work-item.
  Error allocatePrivate() {
    uint64_t Size = 0;
    Align Alignment(1);
    for (CallInst *Call : callsOf(Calls.Allocate)) {
      auto *Bytes = dyn_cast<ConstantInt>(Call->getArgOperand(0));
      auto *Unit = dyn_cast<ConstantInt>(Call->getArgOperand(1));
      if (!Bytes || !Unit || !isPowerOf2_64(Unit->getZExtValue()))
        return createCallError(*Call, "size and alignment must be constants");
      Align Wanted(Unit->getZExtValue());
      Size = alignTo(Size, Wanted);
      Call->replaceAllUsesWith(ConstantInt::get(Call->getType(), Size));
      Call->eraseFromParent();
      Size += Bytes->getZExtValue();
      Alignment = std::max(Alignment, Wanted);
    }
    BasicBlock &Entry = F.getEntryBlock();
    IRBuilder<> Builder(&Entry, Entry.getFirstInsertionPt());
    auto *FrameTy = ArrayType::get(Builder.getInt8Ty(), std::max<uint64_t>(Size, 1));
    FrameMemory = Builder.CreateAlloca(FrameTy, nullptr, "frame");
    FrameMemory->setAlignment(Alignment);
    for (CallInst *Call : callsOf(Calls.Frame)) {
      if (!Frame)
        Frame = Builder.CreateAddrSpaceCast(FrameMemory, Call->getType());
      Call->replaceAllUsesWith(Frame);
      Call->eraseFromParent();
    }
    return Error::success();
  }

  GlobalVariable *makeShared(uint64_t Size, Align Alignment, const Twine &Name) {
    auto *Ty = ArrayType::get(Type::getInt8Ty(M.getContext()), Size);
    auto *Shared = new GlobalVariable(M, Ty, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                      PoisonValue::get(Ty), Name, /*InsertBefore=*/nullptr,
                                      GlobalValue::NotThreadLocal, Spaces.Local);
    Shared->setAlignment(Alignment);
    return Shared;
  }

  /// Returns whether more than loads and stores of the leader may use the memory at an address.
  static bool escapes(const Value &Address) {
    return any_of(Address.uses(), [](const Use &U) {
      const User *By = U.getUser();
      if (isa<LoadInst, ICmpInst, MemIntrinsic>(By))
        return false;
      if (isa<StoreInst>(By))
        return U.getOperandNo() != StoreInst::getPointerOperandIndex();
      if (isa<AddrSpaceCastInst, GetElementPtrInst>(By))
        return escapes(*By);
      return !passedType(U);
    });
  }

  /// Moves variables whose address escapes to local memory.
  Error shareVariables() {
    bool IsGeneric = DL.getAllocaAddrSpace() == Spaces.Generic;
    for (AllocaInst *Variable : all<AllocaInst>()) {
      std::optional<TypeSize> Size = Variable->getAllocationSize(DL);
      if (Variable == FrameMemory || !Size || Size->isScalable() || !escapes(*Variable))
        continue;
      uint64_t Bytes = std::max<uint64_t>(Size->getFixedValue(), 1);
      GlobalVariable *Shared =
          makeShared(Bytes, Variable->getAlign(), F.getName() + "." + Variable->getName());
      if (IsGeneric)
        Variable->replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(Shared, Variable->getType()));
      else if (Error Err = replaceAddress(*Variable, *Shared))
        return Err;
      Variable->eraseFromParent();
    }
    return Error::success();
  }

  /// Replaces a private address by one in local memory. Uses of a generic address that is derived
  /// from it may stay, unless they convert it to a private one again.
  Error replaceAddress(Instruction &Old, Value &New) {
    bool IsGeneric = Old.getType()->getPointerAddressSpace() == Spaces.Generic;
    for (Use &U : make_early_inc_range(Old.uses())) {
      auto *By = cast<Instruction>(U.getUser());
      bool IsAccess =
          isa<LoadInst>(By) ||
          (isa<StoreInst>(By) && U.getOperandNo() == StoreInst::getPointerOperandIndex());
      if (isa<AddrSpaceCastInst, GetElementPtrInst>(By)) {
        if (Error Err = replaceDerived(*By, New))
          return Err;
      } else if (IsGeneric || IsAccess) {
        U.set(&New);
      } else if (auto *Intrinsic = dyn_cast<MemIntrinsic>(By)) {
        replaceMemory(*Intrinsic, Old, New);
      } else if (Type *Ty = passedType(U)) {
        passCopy(cast<CallBase>(*By), U, New, DL.getTypeAllocSize(Ty));
      } else {
        return createStringError("in '" + F.getName() +
                                 "', the address of a variable at work-group scope is used as a "
                                 "pointer to private memory");
      }
    }
    return Error::success();
  }

  /// Replaces an address that is computed from another one.
  Error replaceDerived(Instruction &Old, Value &From) {
    IRBuilder<> Builder(&Old);
    Value *New = &From;
    if (auto *Element = dyn_cast<GetElementPtrInst>(&Old))
      New = Builder.CreateGEP(Element->getSourceElementType(), &From,
                              SmallVector<Value *>(Element->indices()));
    else if (Old.getType()->getPointerAddressSpace() == Spaces.Generic)
      New = Builder.CreateAddrSpaceCast(&From, Old.getType());
    if (Error Err = replaceAddress(Old, *New))
      return Err;
    Old.eraseFromParent();
    return Error::success();
  }

  static void replaceMemory(MemIntrinsic &I, Value &Old, Value &New) {
    auto Place = [&](Value *Address) { return Address == &Old ? &New : Address; };
    IRBuilder<> Builder(&I);
    if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      Builder.CreateMemTransferInst(Copy->getIntrinsicID(), Place(Copy->getRawDest()),
                                    Copy->getDestAlign(), Place(Copy->getRawSource()),
                                    Copy->getSourceAlign(), Copy->getLength(), Copy->isVolatile());
    else if (auto *Set = dyn_cast<MemSetInst>(&I))
      Builder.CreateMemSet(&New, Set->getValue(), Set->getLength(), Set->getDestAlign(),
                           Set->isVolatile());
    I.eraseFromParent();
  }

  /// Returns the type of an object that a call takes by value or returns in memory; null for other
  /// uses.
  static Type *passedType(const Use &U) {
    auto *Call = dyn_cast<CallBase>(U.getUser());
    if (!Call || !Call->isArgOperand(&U))
      return nullptr;
    unsigned Number = Call->getArgOperandNo(&U);
    Type *Ty = Call->getParamStructRetType(Number);
    return Ty ? Ty : Call->getParamByValType(Number);
  }

  /// Passes a call the address of a private copy, and copies it back.
  void passCopy(CallBase &Call, Use &U, Value &New, uint64_t Bytes) {
    BasicBlock &Entry = F.getEntryBlock();
    IRBuilder<> AtEntry(&Entry, Entry.getFirstInsertionPt());
    AllocaInst *Copy = AtEntry.CreateAlloca(ArrayType::get(AtEntry.getInt8Ty(), Bytes));
    Copy->setAlignment(Align(16));
    IRBuilder<> Builder(&Call);
    Builder.CreateMemCpy(Copy, MaybeAlign(), &New, MaybeAlign(), Bytes);
    U.set(Copy);
    Builder.SetInsertPoint(Call.getNextNode());
    Builder.CreateMemCpy(&New, MaybeAlign(), Copy, MaybeAlign(), Bytes);
  }

  /// Gives each part of the code a block of its own: the variables, each collective call, and the
  /// return.
  void splitBlocks() {
    BasicBlock &Entry = F.getEntryBlock();
    for (AllocaInst *Variable : all<AllocaInst>())
      Variable->moveBefore(Entry, Entry.getFirstInsertionPt());
    if (auto *Cast = dyn_cast_or_null<AddrSpaceCastInst>(Frame))
      Cast->moveAfter(FrameMemory);
    auto Code = find_if(Entry, [&](Instruction &I) { return !isa<AllocaInst>(I) && &I != Frame; });
    SplitBlock(&Entry, Code);
    Uniform.insert(&Entry);
    for (CallInst *Call : all<CallInst>())
      if (isCollective(*Call))
        splitAround(*Call);
    for (ReturnInst *Return : all<ReturnInst>())
      Uniform.insert(SplitBlock(Return->getParent(), Return));
  }

  void splitAround(CallInst &Call) {
    BasicBlock *Block = SplitBlock(Call.getParent(), &Call);
    SplitBlock(Block, Call.getNextNode());
    Uniform.insert(Block);
    BasicBlock *Before = Block->getSinglePredecessor();
    SmallVector<std::pair<unsigned, GlobalVariable *>> Broadcasts;
    for (Use &Arg : Call.args())
      if (isa<Instruction>(Arg) && Arg != Frame)
        Broadcasts.emplace_back(Arg.getOperandNo(), share(*Arg, *Before));
    makeBarrier(Call);
    IRBuilder<> Builder(&Call);
    for (auto [Number, Shared] : Broadcasts)
      Call.setOperand(Number, Builder.CreateLoad(Call.getOperand(Number)->getType(), Shared));
    makeBarrier(*Call.getNextNode());
  }

  /// Stores a value of the leader in local memory at the end of a block.
  GlobalVariable *share(Value &V, BasicBlock &Block) {
    uint64_t Size = DL.getTypeStoreSize(V.getType());
    GlobalVariable *Shared =
        makeShared(Size, DL.getPrefTypeAlign(V.getType()), F.getName() + ".broadcast");
    IRBuilder<>(Block.getTerminator()).CreateStore(&V, Shared);
    return Shared;
  }

  void makeBarrier(Instruction &Before) {
    CallInst *Call = IRBuilder<>(&Before).CreateCall(Calls.Barrier);
    Call->setCallingConv(Calls.Barrier->getCallingConv());
    // A call that may be inlined needs a place, if the function has any.
    if (DISubprogram *Scope = F.getSubprogram(); Scope && !Call->getDebugLoc())
      Call->setDebugLoc(DILocation::get(F.getContext(), 0, 0, Scope));
  }

  /// Moves values that other blocks use to variables, since blocks get new predecessors.
  void demoteValues() {
    for (PHINode *Phi : all<PHINode>())
      DemotePHIToStack(Phi);
    SmallVector<Instruction *> Demoted;
    for (BasicBlock &Block : F)
      for (Instruction &I : Block)
        if (&Block != &F.getEntryBlock() &&
            any_of(I.users(), [&](User *U) { return cast<Instruction>(U)->getParent() != &Block; }))
          Demoted.push_back(&I);
    for (Instruction *I : Demoted)
      DemoteRegToStack(*I);
  }

  /// Returns the blocks between two, the second excluded, if the leader can run them alone: control
  /// enters them only at the first.
  std::optional<BlockSet> regionBetween(BasicBlock *Begin, BasicBlock *End) const {
    BlockSet Blocks;
    Blocks.insert(Begin);
    for (unsigned I = 0; I < Blocks.size(); ++I) {
      if (Uniform.contains(Blocks[I]))
        return std::nullopt;
      for (BasicBlock *Next : successors(Blocks[I]))
        if (Next != End)
          Blocks.insert(Next);
    }
    bool HasOneEntry = all_of(drop_begin(Blocks), [&](BasicBlock *Block) {
      return all_of(predecessors(Block), [&](BasicBlock *From) { return Blocks.contains(From); });
    });
    return HasOneEntry ? std::optional(Blocks) : std::nullopt;
  }

  /// Returns the regions of the leader, which contain all code but that of uniform blocks.
  SmallVector<LeaderRegion> findRegions() {
    SmallVector<LeaderRegion> Regions;
    while (!findRegions(Regions))
      Regions.clear();
    return Regions;
  }

  /// Returns false if a branch had to become uniform.
  bool findRegions(SmallVectorImpl<LeaderRegion> &Regions) {
    PostDominatorTree PostDominators(F);
    BlockSet Done;
    for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F)) {
      if (Uniform.contains(Block) || Done.contains(Block))
        continue;
      std::optional<LeaderRegion> Found;
      for (auto *Node = PostDominators.getNode(Block); Node; Node = Node->getIDom()) {
        BasicBlock *End = Node->getBlock();
        if (!End)
          break;
        if (End == Block)
          continue;
        auto Blocks = regionBetween(Block, End);
        if (!Blocks || any_of(*Blocks, [&](BasicBlock *B) { return Done.contains(B); }))
          break;
        Found = LeaderRegion{Block, End, std::move(*Blocks)};
      }
      if (!Found && isa<UnreachableInst>(Block->getTerminator()))
        continue;
      if (!Found) {
        makeUniform(*Block);
        return false;
      }
      Done.insert_range(Found->Blocks);
      Regions.push_back(std::move(*Found));
    }
    return true;
  }

  /// Has the leader decide for all work-items where a block branches.
  void makeUniform(BasicBlock &Block) {
    Instruction *End = Block.getTerminator();
    BasicBlock *Branch = SplitBlock(&Block, End);
    Uniform.insert(Branch);
    Value *Condition = conditionOf(*End);
    if (!isa_and_nonnull<Instruction>(Condition))
      return;
    Type *Ty = Condition->getType();
    IRBuilder<> AtEnd(Block.getTerminator());
    // A boolean has no fixed size in memory.
    Type *StoredTy = Ty->isIntegerTy(1) ? AtEnd.getInt32Ty() : Ty;
    GlobalVariable *Shared = share(*AtEnd.CreateZExt(Condition, StoredTy), Block);
    makeBarrier(*End);
    IRBuilder<> Builder(End);
    Value *Loaded = Builder.CreateLoad(StoredTy, Shared);
    makeBarrier(*End);
    End->replaceUsesOfWith(Condition, Builder.CreateTrunc(Loaded, Ty));
  }

  static Value *conditionOf(const Instruction &End) {
    if (const auto *Branch = dyn_cast<BranchInst>(&End))
      return Branch->isConditional() ? Branch->getCondition() : nullptr;
    const auto *Switch = dyn_cast<SwitchInst>(&End);
    return Switch ? Switch->getCondition() : nullptr;
  }

  /// Has work-items that are not the leader pass by its regions.
  void guardRegions(ArrayRef<LeaderRegion> Regions) {
    SmallDenseMap<BasicBlock *, BasicBlock *> Guards;
    for (const LeaderRegion &Region : Regions) {
      auto *Guard = BasicBlock::Create(F.getContext(), "leader", &F, Region.Begin);
      Guards[Region.Begin] = Guard;
      SmallVector<BasicBlock *> Before(predecessors(Region.Begin));
      for (BasicBlock *Block : Before)
        if (!Region.Blocks.contains(Block))
          Block->getTerminator()->replaceSuccessorWith(Region.Begin, Guard);
    }
    for (const LeaderRegion &Region : Regions) {
      BasicBlock *End = Guards.contains(Region.End) ? Guards[Region.End] : Region.End;
      IRBuilder<>(Guards[Region.Begin]).CreateCondBr(F.getArg(0), Region.Begin, End);
    }
  }

  Function &F;
  Module &M;
  const DataLayout &DL;
  const Callees &Calls;
  AddressSpaces Spaces;
  AllocaInst *FrameMemory = nullptr;
  Value *Frame = nullptr;                     ///< the generic address of that; null if unused
  SmallPtrSet<const BasicBlock *, 8> Uniform; ///< blocks that all work-items run
};

} // namespace

void lowerGroupScope(ModuleHandle &Handle, const std::vector<std::string> &Functions,
                     const GroupScopeCalls &Names, AddressSpaces Spaces) {
  Handle.use("lowering work-group scope", [&](Module &M) -> Error {
    Callees Calls{{},
                  M.getFunction(Names.Allocate),
                  M.getFunction(Names.Frame),
                  M.getFunction(Names.Barrier)};
    for (const std::string &Name : Names.Collective)
      Calls.Collective.insert(M.getFunction(Name));
    for (const std::string &Name : Functions) {
      Expected<Function &> F = findDefinition(M, Name);
      if (!F)
        return F.takeError();
      if (Error Err = GroupScope(*F, Calls, Spaces).run())
        return Err;
    }
    // An unused declaration would become an import that nothing defines.
    for (Function *Unused : {Calls.Allocate, Calls.Frame})
      if (Unused && Unused->isDeclaration() && Unused->use_empty())
        Unused->eraseFromParent();
    return Error::success();
  });
}

} // namespace dovetail
