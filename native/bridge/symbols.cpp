#include "symbols.h"

#include "errors.h"
#include "module.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <utility>

namespace dovetail {

using namespace llvm;

namespace {

constexpr std::pair<const char *, GlobalValue::LinkageTypes> linkageWords[] = {
    {"external", GlobalValue::ExternalLinkage},
    {"available_externally", GlobalValue::AvailableExternallyLinkage},
    {"linkonce", GlobalValue::LinkOnceAnyLinkage},
    {"linkonce_odr", GlobalValue::LinkOnceODRLinkage},
    {"weak", GlobalValue::WeakAnyLinkage},
    {"weak_odr", GlobalValue::WeakODRLinkage},
    {"appending", GlobalValue::AppendingLinkage},
    {"internal", GlobalValue::InternalLinkage},
    {"private", GlobalValue::PrivateLinkage},
    {"extern_weak", GlobalValue::ExternalWeakLinkage},
    {"common", GlobalValue::CommonLinkage},
};

constexpr std::pair<const char *, CallingConv::ID> conventionWords[] = {
    {"ccc", CallingConv::C},
    {"fastcc", CallingConv::Fast},
    {"coldcc", CallingConv::Cold},
    {"spir_kernel", CallingConv::SPIR_KERNEL},
    {"spir_func", CallingConv::SPIR_FUNC},
    {"ptx_kernel", CallingConv::PTX_Kernel},
    {"ptx_device", CallingConv::PTX_Device},
    {"amdgpu_kernel", CallingConv::AMDGPU_KERNEL},
};

GlobalValue::LinkageTypes parseLinkage(const std::string &name) {
  for (auto [word, linkage] : linkageWords)
    if (name == word)
      return linkage;
  throw IRError("there is no linkage '" + name + "'");
}

/// Throws where the verifier would reject the result.
void requireLinkageFits(const GlobalValue &value, GlobalValue::LinkageTypes linkage) {
  bool forDeclarations =
      linkage == GlobalValue::ExternalLinkage || linkage == GlobalValue::ExternalWeakLinkage;
  if (value.isDeclaration() && !forDeclarations)
    throw IRError(
        ("'" + value.getName() + "' is a declaration and cannot be " + linkageName(linkage)).str());
  if (!value.isDeclaration() && linkage == GlobalValue::ExternalWeakLinkage)
    throw IRError(("'" + value.getName() + "' is defined and cannot be extern_weak").str());
}

void applyLinkage(GlobalValue &value, GlobalValue::LinkageTypes linkage) {
  value.setLinkage(linkage);
  // A comdat is for the linker to choose between copies of the definition; now there is no choice.
  bool leavesComdat = value.hasLocalLinkage() || value.hasAvailableExternallyLinkage();
  if (auto *object = dyn_cast<GlobalObject>(&value); object && leavesComdat)
    object->setComdat(nullptr);
}

using Renaming = std::pair<GlobalValue *, const std::pair<const std::string, std::string> *>;

std::vector<Renaming> planRenaming(llvm::Module &ir,
                                   const std::map<std::string, std::string> &names) {
  std::vector<Renaming> plan;
  StringSet<> newNames;
  for (const auto &entry : names) {
    const auto &[oldName, newName] = entry;
    plan.emplace_back(&findGlobalValue(ir, oldName), &entry);
    if (!newNames.insert(newName).second)
      throw IRError("two symbols cannot both be renamed to '" + newName + "'");
    if (!names.count(newName))
      requireFreeName(ir, newName);
  }
  return plan;
}

/// A comdat that bears the name of its symbol has to follow it, or linking would take it for the
/// comdat of the symbol that has the old name elsewhere. Everything is read before the first
/// change, for symbols that exchange names exchange comdats too.
void renameComdats(llvm::Module &ir, const std::vector<Renaming> &plan) {
  struct Move {
    StringRef name;
    Comdat::SelectionKind selection;
    SmallVector<GlobalObject *, 2> members;
  };
  std::vector<Move> moves;
  for (auto [value, entry] : plan) {
    auto *object = dyn_cast<GlobalObject>(value);
    const Comdat *comdat = object ? object->getComdat() : nullptr;
    if (comdat && comdat->getName() == entry->first)
      moves.push_back(
          {entry->second, comdat->getSelectionKind(),
           SmallVector<GlobalObject *, 2>(comdat->getUsers().begin(), comdat->getUsers().end())});
  }
  for (const Move &move : moves) {
    Comdat *comdat = ir.getOrInsertComdat(move.name);
    comdat->setSelectionKind(move.selection);
    for (GlobalObject *member : move.members)
      member->setComdat(comdat);
  }
}

/// Linkage and comdat stay, which LLVM takes along with a body.
void emptyBody(Function &function) {
  GlobalValue::LinkageTypes linkage = function.getLinkage();
  Comdat *comdat = function.getComdat();
  function.deleteBody();
  function.setLinkage(linkage);
  function.setComdat(comdat);
  LLVMContext &context = function.getContext();
  AttributeList attributes =
      function.getAttributes().removeAttributesAtIndex(context, AttributeList::ReturnIndex);
  function.setAttributes(attributes.removeFnAttribute(context, Attribute::NoReturn));
  IRBuilder<> builder(BasicBlock::Create(context, "entry", &function));
  Type *type = function.getReturnType();
  if (type->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(Constant::getNullValue(type));
}

} // namespace

std::string linkageName(GlobalValue::LinkageTypes linkage) {
  for (auto [word, known] : linkageWords)
    if (linkage == known)
      return word;
  llvm_unreachable("the table has all linkages");
}

std::string callingConventionName(CallingConv::ID convention) {
  for (auto [word, known] : conventionWords)
    if (convention == known)
      return word;
  return std::to_string(convention);
}

CallingConv::ID parseCallingConvention(const std::string &name) {
  for (auto [word, convention] : conventionWords)
    if (name == word)
      return convention;
  unsigned number;
  if (StringRef(name).getAsInteger(10, number) || number > CallingConv::MaxID)
    throw IRError("there is no calling convention '" + name + "'");
  return number;
}

void setLinkage(ModuleHandle &module, const std::map<std::string, std::string> &linkages) {
  module.use("setting linkage", [&](llvm::Module &ir) {
    std::vector<std::pair<GlobalValue *, GlobalValue::LinkageTypes>> plan;
    for (const auto &[name, word] : linkages) {
      plan.emplace_back(&findGlobalValue(ir, name), parseLinkage(word));
      requireLinkageFits(*plan.back().first, plan.back().second);
    }
    for (auto [value, linkage] : plan)
      applyLinkage(*value, linkage);
  });
}

void setCallingConvention(ModuleHandle &module,
                          const std::map<std::string, std::string> &conventions) {
  module.use("setting calling conventions", [&](llvm::Module &ir) {
    std::vector<std::pair<Function *, CallingConv::ID>> plan;
    for (const auto &[name, word] : conventions)
      plan.emplace_back(&findFunction(ir, name), parseCallingConvention(word));
    for (auto [function, convention] : plan) {
      function->setCallingConv(convention);
      for (const Use &use : function->uses())
        if (auto *call = dyn_cast<CallBase>(use.getUser()); call && call->isCallee(&use))
          call->setCallingConv(convention);
    }
  });
}

void renameSymbols(ModuleHandle &module, const std::map<std::string, std::string> &names) {
  module.use("renaming", [&](llvm::Module &ir) {
    auto plan = planRenaming(ir, names);
    // All old names go before the first new one comes, so that names can be exchanged.
    for (auto [value, entry] : plan)
      value->setName("");
    for (auto [value, entry] : plan)
      value->setName(entry->second);
    renameComdats(ir, plan);
  });
}

void makeEmpty(ModuleHandle &module, const std::vector<std::string> &names) {
  module.use("emptying functions", [&](llvm::Module &ir) {
    std::vector<Function *> functions;
    for (const std::string &name : names)
      functions.push_back(&findDefinition(ir, name));
    for (Function *function : functions)
      emptyBody(*function);
  });
}

void makeZero(ModuleHandle &module, const std::vector<std::string> &names) {
  module.use("removing initial values", [&](llvm::Module &ir) {
    std::vector<GlobalVariable *> variables;
    for (const std::string &name : names) {
      variables.push_back(&findGlobalVariable(ir, name));
      if (variables.back()->isDeclaration())
        throw IRError("global variable '" + name + "' is only declared");
    }
    for (GlobalVariable *variable : variables)
      variable->setInitializer(Constant::getNullValue(variable->getValueType()));
  });
}

void keepVariables(ModuleHandle &module, const std::vector<std::string> &names) {
  module.use("keeping variables", [&](llvm::Module &ir) {
    std::vector<GlobalValue *> variables;
    for (const std::string &name : names)
      variables.push_back(&findGlobalVariable(ir, name));
    if (!variables.empty())
      appendToCompilerUsed(ir, variables);
  });
}

} // namespace dovetail
