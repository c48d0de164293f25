#include "extract.h"

#include "debug_units.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace dovetail {

using namespace llvm;

namespace {

/// Declares a global in the new module when the mapper first encounters it. Its contents are copied
/// later, because a materializer must not start another mapping.
class GlobalDeclarer final : public ValueMaterializer {
public:
  explicit GlobalDeclarer(Module &Destination) : Destination(Destination) {}

  Value *materialize(Value *V) override {
    auto *GV = dyn_cast<GlobalValue>(V);
    if (!GV)
      return nullptr;
    GlobalValue *Declared = declare(*GV);
    if (Declared)
      Worklist.emplace_back(GV, Declared);
    return Declared;
  }

  SmallVector<std::pair<const GlobalValue *, GlobalValue *>> Worklist;
  /// A global that cannot be extracted. LLVM's mapper, which calls us, cannot return an error.
  const GlobalValue *Unsupported = nullptr;

private:
  GlobalValue *declare(const GlobalValue &GV) {
    if (auto *F = dyn_cast<Function>(&GV))
      return declareFunction(*F);
    if (auto *Variable = dyn_cast<GlobalVariable>(&GV))
      return declareVariable(*Variable);
    if (auto *Alias = dyn_cast<GlobalAlias>(&GV))
      return declareAlias(*Alias);
    Unsupported = &GV;
    return nullptr;
  }

  Function *declareFunction(const Function &Old) {
    auto *F = Function::Create(Old.getFunctionType(), Old.getLinkage(), Old.getAddressSpace(),
                               Old.getName(), &Destination);
    F->copyAttributesFrom(&Old);
    // These were copied unmapped. CloneFunctionInto sets them to the mapped values.
    F->setPersonalityFn(nullptr);
    F->setPrefixData(nullptr);
    F->setPrologueData(nullptr);
    copyComdat(*F, Old);
    return F;
  }

  GlobalVariable *declareVariable(const GlobalVariable &Old) {
    auto *Variable = new GlobalVariable(
        Destination, Old.getValueType(), Old.isConstant(), Old.getLinkage(),
        /*Initializer=*/nullptr, Old.getName(), /*InsertBefore=*/nullptr, Old.getThreadLocalMode(),
        Old.getAddressSpace(), Old.isExternallyInitialized());
    Variable->copyAttributesFrom(&Old);
    copyComdat(*Variable, Old);
    return Variable;
  }

  GlobalAlias *declareAlias(const GlobalAlias &Old) {
    auto *Alias = GlobalAlias::create(Old.getValueType(), Old.getAddressSpace(), Old.getLinkage(),
                                      Old.getName(), &Destination);
    Alias->copyAttributesFrom(&Old);
    return Alias;
  }

  void copyComdat(GlobalObject &Object, const GlobalObject &Old) {
    const Comdat *OldComdat = Old.getComdat();
    if (!OldComdat)
      return;
    Comdat *Copy = Destination.getOrInsertComdat(OldComdat->getName());
    Copy->setSelectionKind(OldComdat->getSelectionKind());
    Object.setComdat(Copy);
  }

  Module &Destination;
};

/// Whether the linkage of a definition can be changed.
bool hasFreeLinkage(const GlobalValue &GV) {
  return !GV.isDeclaration() && !GV.hasAvailableExternallyLinkage() && !GV.hasAppendingLinkage();
}

void setOnlyLinkage(GlobalValue &GV, GlobalValue::LinkageTypes Linkage) {
  GV.setLinkage(Linkage);
  // A comdat lets the linker choose between copies of a definition. Now there is only one.
  if (auto *Object = dyn_cast<GlobalObject>(&GV))
    Object->setComdat(nullptr);
}

void makePublic(Module &Part, const std::vector<std::string> &Names) {
  SmallPtrSet<const GlobalValue *, 8> PublicValues;
  for (const std::string &Name : Names)
    if (const GlobalValue *GV = Part.getNamedValue(Name))
      PublicValues.insert(GV);
  for (GlobalValue &GV : Part.global_values())
    if (hasFreeLinkage(GV))
      setOnlyLinkage(GV, PublicValues.contains(&GV) ? GlobalValue::ExternalLinkage
                                                    : GlobalValue::InternalLinkage);
}

class Extraction {
public:
  Extraction(Module &Source, ExtractionIndex &Index, StringRef Apart)
      : Source(Source), Index(Index), Apart(Apart),
        Destination(std::make_unique<Module>(Source.getModuleIdentifier(), Source.getContext())),
        Declarer(*Destination), Units(Source, VMap, Index) {
    Destination->setTargetTriple(Source.getTargetTriple());
    Destination->setDataLayout(Source.getDataLayout());
    Destination->setSourceFileName(Source.getSourceFileName());
  }

  Expected<std::unique_ptr<Module>> run(const std::vector<std::string> &Roots,
                                        const std::vector<std::string> &NamedMetadata) {
    for (const std::string &Name : Roots) {
      Expected<GlobalValue &> Root = findGlobalValue(Source, Name);
      if (!Root)
        return Root.takeError();
      Wanted.insert(&*Root);
    }
    for (const GlobalValue *Root : Wanted)
      mapValue(Root);
    while (!Declarer.Worklist.empty()) {
      auto [Old, New] = Declarer.Worklist.pop_back_val();
      fill(*Old, *New);
    }
    if (Declarer.Unsupported)
      return createStringError("'" + Declarer.Unsupported->getName() +
                               "' is an ifunc, which devices do not support");
    copyNamedMetadata(NamedMetadata);
    Units.finish(*Destination, Variables);
    return std::move(Destination);
  }

private:
  Value *mapValue(const Value *V) {
    return MapValue(V, VMap, RF_None, /*TypeMapper=*/nullptr, &Declarer);
  }
  Constant *mapConstant(const Constant *C) { return cast<Constant>(mapValue(C)); }

  void fill(const GlobalValue &Old, GlobalValue &New) {
    Taken.push_back(&Old);
    auto *F = dyn_cast<Function>(&Old);
    auto *Object = dyn_cast<GlobalObject>(&Old);
    if (Object && !(F && isApart(*F)))
      Units.prepare(*Object);
    if (F) {
      fillFunction(*F, cast<Function>(New));
    } else if (auto *Variable = dyn_cast<GlobalVariable>(&Old)) {
      fillVariable(*Variable, cast<GlobalVariable>(New));
    } else {
      cast<GlobalAlias>(New).setAliasee(mapConstant(cast<GlobalAlias>(Old).getAliasee()));
    }
  }

  /// Whether the function is in another part, so this one only declares it.
  bool isApart(const Function &F) const {
    return !Apart.empty() && !F.isDeclaration() && F.hasFnAttribute(Apart) && !Wanted.contains(&F);
  }

  void fillFunction(const Function &Old, Function &New) {
    if (Old.isDeclaration())
      return copyMetadata(Old, New);
    if (isApart(Old))
      return setOnlyLinkage(New, GlobalValue::ExternalLinkage);
    for (auto [OldArg, Arg] : zip_equal(Old.args(), New.args())) {
      Arg.setName(OldArg.getName());
      VMap[&OldArg] = &Arg;
    }
    SmallVector<ReturnInst *, 8> Returns;
    // ClonedModule, because DifferentModule searches the whole compile unit for each function.
    CloneFunctionInto(&New, &Old, VMap, CloneFunctionChangeType::ClonedModule, Returns,
                      /*NameSuffix=*/"", /*CodeInfo=*/nullptr, /*TypeMapper=*/nullptr, &Declarer);
  }

  void fillVariable(const GlobalVariable &Old, GlobalVariable &New) {
    if (Old.hasInitializer())
      New.setInitializer(mapConstant(Old.getInitializer()));
    copyMetadata(Old, New);
    Variables.emplace_back(&Old, &New);
  }

  void copyMetadata(const GlobalObject &Old, GlobalObject &New) {
    SmallVector<std::pair<unsigned, MDNode *>, 4> Nodes;
    Old.getAllMetadata(Nodes);
    for (auto [Kind, Node] : Nodes)
      New.addMetadata(Kind, *MapMetadata(Node, VMap, RF_None, /*TypeMapper=*/nullptr, &Declarer));
  }

  void copyNamedMetadata(const std::vector<std::string> &Names) {
    // Flags affect the meaning of a module, for example the version of its debug information.
    StringSet<> Wanted = {"llvm.module.flags"};
    for (const std::string &Name : Names)
      Wanted.insert(Name);
    Wanted.erase("llvm.dbg.cu"); // written by DebugUnits
    for (const NamedMDNode &List : Source.named_metadata())
      if (Wanted.contains(List.getName()))
        copyNamedList(List);
  }

  void copyNamedList(const NamedMDNode &List) {
    NamedMDNode *Copy = Destination->getOrInsertNamedMetadata(List.getName());
    for (const MDNode *Node : Index.namedList(List).nodesAbout(Taken)) {
      Units.prepare(*Node);
      // No materializer: a node must not add the globals that it names.
      Copy->addOperand(MapMetadata(Node, VMap, RF_NullMapMissingGlobalValues));
    }
  }

  Module &Source;
  ExtractionIndex &Index;
  StringRef Apart;
  SmallSetVector<const GlobalValue *, 8> Wanted;
  std::unique_ptr<Module> Destination;
  ValueToValueMapTy VMap;
  GlobalDeclarer Declarer;
  DebugUnits Units;
  SmallVector<const GlobalValue *> Taken;
  SmallVector<std::pair<const GlobalVariable *, GlobalVariable *>> Variables;
};

} // namespace

ModulePtr extractModule(ModuleHandle &Handle, const std::vector<std::string> &Roots,
                        const std::vector<std::string> &NamedMetadata,
                        const std::optional<std::vector<std::string>> &PublicNames,
                        const std::string &Apart) {
  auto Part = Handle.useIndexed("extracting", [&](Module &M, ExtractionIndex &Index) {
    auto Extracted = Extraction(M, Index, Apart).run(Roots, NamedMetadata);
    if (Extracted && PublicNames)
      makePublic(**Extracted, *PublicNames);
    return Extracted;
  });
  return std::make_shared<ModuleHandle>(Handle.context(), std::move(Part));
}

ModulePtr cloneModuleWith(ModuleHandle &Handle, const std::vector<std::string> &Names) {
  auto Clone = Handle.look("cloning", [&](Module &M) -> Expected<std::unique_ptr<Module>> {
    SmallPtrSet<const GlobalValue *, 8> Wanted;
    for (const std::string &Name : Names) {
      Expected<GlobalValue &> GV = findGlobalValue(M, Name);
      if (!GV)
        return GV.takeError();
      Wanted.insert(&*GV);
    }
    ValueToValueMapTy VMap;
    return CloneModule(M, VMap, [&](const GlobalValue *GV) { return Wanted.contains(GV); });
  });
  return std::make_shared<ModuleHandle>(Handle.context(), std::move(Clone));
}

} // namespace dovetail
