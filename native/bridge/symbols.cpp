#include "symbols.h"

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

constexpr std::pair<const char *, GlobalValue::LinkageTypes> LinkageNames[] = {
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

constexpr std::pair<const char *, CallingConv::ID> CallingConvNames[] = {
    {"ccc", CallingConv::C},
    {"fastcc", CallingConv::Fast},
    {"coldcc", CallingConv::Cold},
    {"spir_kernel", CallingConv::SPIR_KERNEL},
    {"spir_func", CallingConv::SPIR_FUNC},
    {"ptx_kernel", CallingConv::PTX_Kernel},
    {"ptx_device", CallingConv::PTX_Device},
    {"amdgpu_kernel", CallingConv::AMDGPU_KERNEL},
};

Expected<GlobalValue::LinkageTypes> parseLinkage(const std::string &Name) {
  for (auto [Word, Linkage] : LinkageNames)
    if (Name == Word)
      return Linkage;
  return createStringError("there is no linkage '" + Name + "'");
}

/// Returns an error if the verifier would reject the linkage.
Error checkLinkage(const GlobalValue &GV, GlobalValue::LinkageTypes Linkage) {
  bool ForDeclarations =
      Linkage == GlobalValue::ExternalLinkage || Linkage == GlobalValue::ExternalWeakLinkage;
  if (GV.isDeclaration() && !ForDeclarations)
    return createStringError("'" + GV.getName() + "' is a declaration and cannot be " +
                             linkageName(Linkage));
  if (!GV.isDeclaration() && Linkage == GlobalValue::ExternalWeakLinkage)
    return createStringError("'" + GV.getName() + "' is defined and cannot be extern_weak");
  return Error::success();
}

void applyLinkage(GlobalValue &GV, GlobalValue::LinkageTypes Linkage) {
  GV.setLinkage(Linkage);
  // A comdat lets the linker choose between copies of the definition. Now there is only one.
  bool LeavesComdat = GV.hasLocalLinkage() || GV.hasAvailableExternallyLinkage();
  if (auto *GO = dyn_cast<GlobalObject>(&GV); GO && LeavesComdat)
    GO->setComdat(nullptr);
}

using Renaming = std::pair<GlobalValue *, const std::pair<const std::string, std::string> *>;

Expected<std::vector<Renaming>> planRenaming(Module &M,
                                             const std::map<std::string, std::string> &Names) {
  std::vector<Renaming> Plan;
  StringSet<> NewNames;
  for (const auto &Entry : Names) {
    const auto &[OldName, NewName] = Entry;
    Expected<GlobalValue &> GV = findGlobalValue(M, OldName);
    if (!GV)
      return GV.takeError();
    Plan.emplace_back(&*GV, &Entry);
    if (!NewNames.insert(NewName).second)
      return createStringError("two symbols cannot both be renamed to '" + NewName + "'");
    if (!Names.count(NewName))
      if (Error Err = checkNameIsFree(M, NewName))
        return std::move(Err);
  }
  return Plan;
}

/// Renames comdats that have the name of their symbol. Otherwise linking would merge them with the
/// comdats of symbols that have the old name elsewhere. Everything is read before the first change,
/// because symbols that exchange names also exchange comdats.
void renameComdats(Module &M, const std::vector<Renaming> &Plan) {
  struct ComdatMove {
    StringRef Name;
    Comdat::SelectionKind Selection;
    SmallVector<GlobalObject *, 2> Members;
  };
  std::vector<ComdatMove> Moves;
  for (auto [GV, Entry] : Plan) {
    auto *GO = dyn_cast<GlobalObject>(GV);
    const Comdat *C = GO ? GO->getComdat() : nullptr;
    if (C && C->getName() == Entry->first)
      Moves.push_back({Entry->second, C->getSelectionKind(),
                       SmallVector<GlobalObject *, 2>(C->getUsers().begin(), C->getUsers().end())});
  }
  for (const ComdatMove &Move : Moves) {
    Comdat *C = M.getOrInsertComdat(Move.Name);
    C->setSelectionKind(Move.Selection);
    for (GlobalObject *Member : Move.Members)
      Member->setComdat(C);
  }
}

/// Keeps linkage and comdat, which LLVM removes with the body.
void emptyBody(Function &F) {
  GlobalValue::LinkageTypes Linkage = F.getLinkage();
  Comdat *C = F.getComdat();
  F.deleteBody();
  F.setLinkage(Linkage);
  F.setComdat(C);
  LLVMContext &Context = F.getContext();
  AttributeList Attrs =
      F.getAttributes().removeAttributesAtIndex(Context, AttributeList::ReturnIndex);
  F.setAttributes(Attrs.removeFnAttribute(Context, Attribute::NoReturn));
  IRBuilder<> Builder(BasicBlock::Create(Context, "entry", &F));
  Type *Ty = F.getReturnType();
  if (Ty->isVoidTy())
    Builder.CreateRetVoid();
  else
    Builder.CreateRet(Constant::getNullValue(Ty));
}

} // namespace

std::string linkageName(GlobalValue::LinkageTypes Linkage) {
  for (auto [Word, Known] : LinkageNames)
    if (Linkage == Known)
      return Word;
  llvm_unreachable("the table contains all linkages");
}

std::string callingConventionName(CallingConv::ID Convention) {
  for (auto [Word, Known] : CallingConvNames)
    if (Convention == Known)
      return Word;
  return std::to_string(Convention);
}

Expected<CallingConv::ID> parseCallingConvention(const std::string &Name) {
  for (auto [Word, Convention] : CallingConvNames)
    if (Name == Word)
      return Convention;
  unsigned Number;
  if (StringRef(Name).getAsInteger(10, Number) || Number > CallingConv::MaxID)
    return createStringError("there is no calling convention '" + Name + "'");
  return Number;
}

void setLinkage(ModuleHandle &Handle, const std::map<std::string, std::string> &Linkages) {
  Handle.use("setting linkage", [&](Module &M) -> Error {
    std::vector<std::pair<GlobalValue *, GlobalValue::LinkageTypes>> Plan;
    for (const auto &[Name, Word] : Linkages) {
      Expected<GlobalValue &> GV = findGlobalValue(M, Name);
      if (!GV)
        return GV.takeError();
      Expected<GlobalValue::LinkageTypes> Linkage = parseLinkage(Word);
      if (!Linkage)
        return Linkage.takeError();
      if (Error Err = checkLinkage(*GV, *Linkage))
        return Err;
      Plan.emplace_back(&*GV, *Linkage);
    }
    for (auto [GV, Linkage] : Plan)
      applyLinkage(*GV, Linkage);
    return Error::success();
  });
}

void setCallingConvention(ModuleHandle &Handle,
                          const std::map<std::string, std::string> &Conventions) {
  Handle.use("setting calling conventions", [&](Module &M) -> Error {
    std::vector<std::pair<Function *, CallingConv::ID>> Plan;
    for (const auto &[Name, Word] : Conventions) {
      Expected<Function &> F = findFunction(M, Name);
      if (!F)
        return F.takeError();
      Expected<CallingConv::ID> Convention = parseCallingConvention(Word);
      if (!Convention)
        return Convention.takeError();
      Plan.emplace_back(&*F, *Convention);
    }
    for (auto [F, Convention] : Plan) {
      F->setCallingConv(Convention);
      for (const Use &U : F->uses())
        if (auto *Call = dyn_cast<CallBase>(U.getUser()); Call && Call->isCallee(&U))
          Call->setCallingConv(Convention);
    }
    return Error::success();
  });
}

void renameSymbols(ModuleHandle &Handle, const std::map<std::string, std::string> &Names) {
  Handle.use("renaming", [&](Module &M) -> Error {
    Expected<std::vector<Renaming>> Plan = planRenaming(M, Names);
    if (!Plan)
      return Plan.takeError();
    // All old names are cleared before the first new one is set, so names can be exchanged.
    for (auto [GV, Entry] : *Plan)
      GV->setName("");
    for (auto [GV, Entry] : *Plan)
      GV->setName(Entry->second);
    renameComdats(M, *Plan);
    return Error::success();
  });
}

void makeEmpty(ModuleHandle &Handle, const std::vector<std::string> &Names) {
  Handle.use("emptying functions", [&](Module &M) -> Error {
    std::vector<Function *> Functions;
    for (const std::string &Name : Names) {
      Expected<Function &> F = findDefinition(M, Name);
      if (!F)
        return F.takeError();
      Functions.push_back(&*F);
    }
    for (Function *F : Functions)
      emptyBody(*F);
    return Error::success();
  });
}

void makeZero(ModuleHandle &Handle, const std::vector<std::string> &Names) {
  Handle.use("removing initial values", [&](Module &M) -> Error {
    std::vector<GlobalVariable *> Variables;
    for (const std::string &Name : Names) {
      Expected<GlobalVariable &> Variable = findGlobalVariable(M, Name);
      if (!Variable)
        return Variable.takeError();
      if (Variable->isDeclaration())
        return createStringError("global variable '" + Name + "' is only declared");
      Variables.push_back(&*Variable);
    }
    for (GlobalVariable *Variable : Variables)
      Variable->setInitializer(Constant::getNullValue(Variable->getValueType()));
    return Error::success();
  });
}

void keepVariables(ModuleHandle &Handle, const std::vector<std::string> &Names) {
  Handle.use("keeping variables", [&](Module &M) -> Error {
    std::vector<GlobalValue *> Variables;
    for (const std::string &Name : Names) {
      Expected<GlobalVariable &> Variable = findGlobalVariable(M, Name);
      if (!Variable)
        return Variable.takeError();
      Variables.push_back(&*Variable);
    }
    if (!Variables.empty())
      appendToCompilerUsed(M, Variables);
    return Error::success();
  });
}

} // namespace dovetail
