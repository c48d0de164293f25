#include "extract.h"

#include "debug_units.h"
#include "errors.h"

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

/// Declares a global in the new module when the mapper first meets it, and remembers it: its
/// contents follow later, since a materializer must not start another mapping.
class Declarer final : public ValueMaterializer {
public:
  explicit Declarer(llvm::Module &destination) : destination(destination) {}

  Value *materialize(Value *value) override {
    auto *global = dyn_cast<GlobalValue>(value);
    if (!global)
      return nullptr;
    GlobalValue *declared = declare(*global);
    if (declared)
      pending.emplace_back(global, declared);
    return declared;
  }

  SmallVector<std::pair<const GlobalValue *, GlobalValue *>> pending;
  /// What cannot be extracted. Kept rather than thrown, since LLVM's mapper is below us.
  const GlobalValue *refused = nullptr;

private:
  GlobalValue *declare(const GlobalValue &global) {
    if (auto *function = dyn_cast<Function>(&global))
      return declareFunction(*function);
    if (auto *variable = dyn_cast<GlobalVariable>(&global))
      return declareVariable(*variable);
    if (auto *alias = dyn_cast<GlobalAlias>(&global))
      return declareAlias(*alias);
    refused = &global;
    return nullptr;
  }

  Function *declareFunction(const Function &old) {
    auto *function = Function::Create(old.getFunctionType(), old.getLinkage(),
                                      old.getAddressSpace(), old.getName(), &destination);
    function->copyAttributesFrom(&old);
    // These were copied unmapped; CloneFunctionInto sets them again from the mapped values.
    function->setPersonalityFn(nullptr);
    function->setPrefixData(nullptr);
    function->setPrologueData(nullptr);
    copyComdat(*function, old);
    return function;
  }

  GlobalVariable *declareVariable(const GlobalVariable &old) {
    auto *variable = new GlobalVariable(
        destination, old.getValueType(), old.isConstant(), old.getLinkage(),
        /*Initializer=*/nullptr, old.getName(), /*InsertBefore=*/nullptr, old.getThreadLocalMode(),
        old.getAddressSpace(), old.isExternallyInitialized());
    variable->copyAttributesFrom(&old);
    copyComdat(*variable, old);
    return variable;
  }

  GlobalAlias *declareAlias(const GlobalAlias &old) {
    auto *alias = GlobalAlias::create(old.getValueType(), old.getAddressSpace(), old.getLinkage(),
                                      old.getName(), &destination);
    alias->copyAttributesFrom(&old);
    return alias;
  }

  void copyComdat(GlobalObject &object, const GlobalObject &old) {
    const Comdat *comdat = old.getComdat();
    if (!comdat)
      return;
    Comdat *copy = destination.getOrInsertComdat(comdat->getName());
    copy->setSelectionKind(comdat->getSelectionKind());
    object.setComdat(copy);
  }

  llvm::Module &destination;
};

/// Whether the definition is the part's own, whose linkage is there to be chosen.
bool hasFreeLinkage(const GlobalValue &value) {
  return !value.isDeclaration() && !value.hasAvailableExternallyLinkage() &&
         !value.hasAppendingLinkage();
}

void setOnlyLinkage(GlobalValue &value, GlobalValue::LinkageTypes linkage) {
  value.setLinkage(linkage);
  // A comdat is for the linker to choose between copies of a definition; now there is no choice.
  if (auto *object = dyn_cast<GlobalObject>(&value))
    object->setComdat(nullptr);
}

void makePublic(llvm::Module &part, const std::vector<std::string> &names) {
  SmallPtrSet<const GlobalValue *, 8> publicValues;
  for (const std::string &name : names)
    if (const GlobalValue *value = part.getNamedValue(name))
      publicValues.insert(value);
  for (GlobalValue &value : part.global_values())
    if (hasFreeLinkage(value))
      setOnlyLinkage(value, publicValues.contains(&value) ? GlobalValue::ExternalLinkage
                                                          : GlobalValue::InternalLinkage);
}

class Extraction {
public:
  Extraction(llvm::Module &source, ExtractionIndex &index, StringRef apart)
      : source(source), index(index), apart(apart),
        destination(
            std::make_unique<llvm::Module>(source.getModuleIdentifier(), source.getContext())),
        declarer(*destination), debugUnits(source, map, index) {
    destination->setTargetTriple(source.getTargetTriple());
    destination->setDataLayout(source.getDataLayout());
    destination->setSourceFileName(source.getSourceFileName());
  }

  std::unique_ptr<llvm::Module> run(const std::vector<std::string> &roots,
                                    const std::vector<std::string> &namedMetadata) {
    for (const std::string &root : roots)
      wanted.insert(&findGlobalValue(source, root));
    for (const GlobalValue *root : wanted)
      mapValue(root);
    while (!declarer.pending.empty()) {
      auto [old, fresh] = declarer.pending.pop_back_val();
      fill(*old, *fresh);
    }
    if (declarer.refused)
      throw IRError(
          ("'" + declarer.refused->getName() + "' is an ifunc, which no device has").str());
    copyNamedMetadata(namedMetadata);
    debugUnits.finish(*destination, variables);
    return std::move(destination);
  }

private:
  Value *mapValue(const Value *value) {
    return MapValue(value, map, RF_None, /*TypeMapper=*/nullptr, &declarer);
  }
  Constant *mapConstant(const Constant *constant) { return cast<Constant>(mapValue(constant)); }

  void fill(const GlobalValue &old, GlobalValue &fresh) {
    taken.push_back(&old);
    auto *function = dyn_cast<Function>(&old);
    auto *object = dyn_cast<GlobalObject>(&old);
    if (object && !(function && isApart(*function)))
      debugUnits.prepare(*object);
    if (function) {
      fillFunction(*function, cast<Function>(fresh));
    } else if (auto *variable = dyn_cast<GlobalVariable>(&old)) {
      fillVariable(*variable, cast<GlobalVariable>(fresh));
    } else {
      cast<GlobalAlias>(fresh).setAliasee(mapConstant(cast<GlobalAlias>(old).getAliasee()));
    }
  }

  /// Whether the function is in another part, so that this one only declares it.
  bool isApart(const Function &function) const {
    return !apart.empty() && !function.isDeclaration() && function.hasFnAttribute(apart) &&
           !wanted.contains(&function);
  }

  void fillFunction(const Function &old, Function &fresh) {
    if (old.isDeclaration())
      return copyMetadata(old, fresh);
    if (isApart(old))
      return setOnlyLinkage(fresh, GlobalValue::ExternalLinkage);
    for (auto [oldArgument, argument] : zip_equal(old.args(), fresh.args())) {
      argument.setName(oldArgument.getName());
      map[&oldArgument] = &argument;
    }
    SmallVector<ReturnInst *, 8> returns;
    // ClonedModule, because DifferentModule searches the whole compile unit once a function.
    CloneFunctionInto(&fresh, &old, map, CloneFunctionChangeType::ClonedModule, returns,
                      /*NameSuffix=*/"", /*CodeInfo=*/nullptr, /*TypeMapper=*/nullptr, &declarer);
  }

  void fillVariable(const GlobalVariable &old, GlobalVariable &fresh) {
    if (old.hasInitializer())
      fresh.setInitializer(mapConstant(old.getInitializer()));
    copyMetadata(old, fresh);
    variables.emplace_back(&old, &fresh);
  }

  void copyMetadata(const GlobalObject &old, GlobalObject &fresh) {
    SmallVector<std::pair<unsigned, MDNode *>, 4> nodes;
    old.getAllMetadata(nodes);
    for (auto [kind, node] : nodes)
      fresh.addMetadata(kind, *MapMetadata(node, map, RF_None, /*TypeMapper=*/nullptr, &declarer));
  }

  void copyNamedMetadata(const std::vector<std::string> &names) {
    // Without its flags a module means something else: the version of its debug information is one.
    StringSet<> wanted = {"llvm.module.flags"};
    for (const std::string &name : names)
      wanted.insert(name);
    wanted.erase("llvm.dbg.cu"); // written by DebugUnits
    for (const NamedMDNode &list : source.named_metadata())
      if (wanted.contains(list.getName()))
        copyNamedList(list);
  }

  void copyNamedList(const NamedMDNode &list) {
    NamedMDNode *copy = destination->getOrInsertNamedMetadata(list.getName());
    for (const MDNode *node : index.namedList(list).nodesAbout(taken)) {
      debugUnits.prepare(*node);
      // No materializer: what the node says of an absent global must not bring that global in.
      copy->addOperand(MapMetadata(node, map, RF_NullMapMissingGlobalValues));
    }
  }

  llvm::Module &source;
  ExtractionIndex &index;
  StringRef apart;
  SmallSetVector<const GlobalValue *, 8> wanted;
  std::unique_ptr<llvm::Module> destination;
  ValueToValueMapTy map;
  Declarer declarer;
  DebugUnits debugUnits;
  SmallVector<const GlobalValue *> taken;
  SmallVector<std::pair<const GlobalVariable *, GlobalVariable *>> variables;
};

} // namespace

ModulePtr extractModule(ModuleHandle &module, const std::vector<std::string> &roots,
                        const std::vector<std::string> &namedMetadata,
                        const std::optional<std::vector<std::string>> &publicNames,
                        const std::string &apart) {
  auto part = module.useIndexed("extracting", [&](llvm::Module &ir, ExtractionIndex &index) {
    auto extracted = Extraction(ir, index, apart).run(roots, namedMetadata);
    if (publicNames)
      makePublic(*extracted, *publicNames);
    return extracted;
  });
  return std::make_shared<ModuleHandle>(module.context(), std::move(part));
}

ModulePtr cloneModuleWith(ModuleHandle &module, const std::vector<std::string> &names) {
  auto clone = module.look("cloning", [&](llvm::Module &ir) {
    SmallPtrSet<const GlobalValue *, 8> wanted;
    for (const std::string &name : names)
      wanted.insert(&findGlobalValue(ir, name));
    ValueToValueMapTy map;
    return CloneModule(ir, map, [&](const GlobalValue *value) { return wanted.contains(value); });
  });
  return std::make_shared<ModuleHandle>(module.context(), std::move(clone));
}

} // namespace dovetail
