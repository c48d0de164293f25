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

GlobalValue::LinkageTypes parseLinkage(const std::string &Name) {
  for (auto [Word, Linkage] : LinkageNames)
    if (Name == Word)
      return Linkage;
  throw IRError("there is no linkage '" + Name + "'");
}

/// Throws where the verifier would reject the result.
void requireLinkageFits(const GlobalValue &GV, GlobalValue::LinkageTypes Linkage) {
  bool ForDeclarations =
      Linkage == GlobalValue::ExternalLinkage || Linkage == GlobalValue::ExternalWeakLinkage;
  if (GV.isDeclaration() && !ForDeclarations)
    throw IRError(
        ("'" + GV.getName() + "' is a declaration and cannot be " + linkageName(Linkage)).str());
  if (!GV.isDeclaration() && Linkage == GlobalValue::ExternalWeakLinkage)
    throw IRError(("'" + GV.getName() + "' is defined and cannot be extern_weak").str());
}

void applyLinkage(GlobalValue &GV, GlobalValue::LinkageTypes Linkage) {
  GV.setLinkage(Linkage);
  // A comdat is for the linker to choose between copies of the definition; now there is no choice.
  bool LeavesComdat = GV.hasLocalLinkage() || GV.hasAvailableExternallyLinkage();
  if (auto *GO = dyn_cast<GlobalObject>(&GV); GO && LeavesComdat)
    GO->setComdat(nullptr);
}

using Renaming = std::pair<GlobalValue *, const std::pair<const std::string, std::string> *>;

std::vector<Renaming> planRenaming(Module &M, const std::map<std::string, std::string> &Names) {
  std::vector<Renaming> Plan;
  StringSet<> NewNames;
  for (const auto &Entry : Names) {
    const auto &[OldName, NewName] = Entry;
    Plan.emplace_back(&findGlobalValue(M, OldName), &Entry);
    if (!NewNames.insert(NewName).second)
      throw IRError("two symbols cannot both be renamed to '" + NewName + "'");
    if (!Names.count(NewName))
      requireFreeName(M, NewName);
  }
  return Plan;
}

/// A comdat that bears the name of its symbol has to follow it, or linking would take it for the
/// comdat of the symbol that has the old name elsewhere. Everything is read before the first
/// change, for symbols that exchange names exchange comdats too.
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

/// Linkage and comdat stay, which LLVM takes along with a body.
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
  llvm_unreachable("the table has all linkages");
}

std::string callingConventionName(CallingConv::ID Convention) {
  for (auto [Word, Known] : CallingConvNames)
    if (Convention == Known)
      return Word;
  return std::to_string(Convention);
}

CallingConv::ID parseCallingConvention(const std::string &Name) {
  for (auto [Word, Convention] : CallingConvNames)
    if (Name == Word)
      return Convention;
  unsigned Number;
  if (StringRef(Name).getAsInteger(10, Number) || Number > CallingConv::MaxID)
    throw IRError("there is no calling convention '" + Name + "'");
  return Number;
}

void setLinkage(ModuleHandle &Handle, const std::map<std::string, std::string> &Linkages) {
  Handle.use("setting linkage", [&](Module &M) {
    std::vector<std::pair<GlobalValue *, GlobalValue::LinkageTypes>> Plan;
    for (const auto &[Name, Word] : Linkages) {
      Plan.emplace_back(&findGlobalValue(M, Name), parseLinkage(Word));
      requireLinkageFits(*Plan.back().first, Plan.back().second);
    }
    for (auto [GV, Linkage] : Plan)
      applyLinkage(*GV, Linkage);
  });
}

void setCallingConvention(ModuleHandle &Handle,
                          const std::map<std::string, std::string> &Conventions) {
  Handle.use("setting calling conventions", [&](Module &M) {
    std::vector<std::pair<Function *, CallingConv::ID>> Plan;
    for (const auto &[Name, Word] : Conventions)
      Plan.emplace_back(&findFunction(M, Name), parseCallingConvention(Word));
    for (auto [F, Convention] : Plan) {
      F->setCallingConv(Convention);
      for (const Use &U : F->uses())
        if (auto *Call = dyn_cast<CallBase>(U.getUser()); Call && Call->isCallee(&U))
          Call->setCallingConv(Convention);
    }
  });
}

void renameSymbols(ModuleHandle &Handle, const std::map<std::string, std::string> &Names) {
  Handle.use("renaming", [&](Module &M) {
    auto Plan = planRenaming(M, Names);
    // All old names go before the first new one comes, so that names can be exchanged.
    for (auto [GV, Entry] : Plan)
      GV->setName("");
    for (auto [GV, Entry] : Plan)
      GV->setName(Entry->second);
    renameComdats(M, Plan);
  });
}

void makeEmpty(ModuleHandle &Handle, const std::vector<std::string> &Names) {
  Handle.use("emptying functions", [&](Module &M) {
    std::vector<Function *> Functions;
    for (const std::string &Name : Names)
      Functions.push_back(&findDefinition(M, Name));
    for (Function *F : Functions)
      emptyBody(*F);
  });
}

void makeZero(ModuleHandle &Handle, const std::vector<std::string> &Names) {
  Handle.use("removing initial values", [&](Module &M) {
    std::vector<GlobalVariable *> Variables;
    for (const std::string &Name : Names) {
      Variables.push_back(&findGlobalVariable(M, Name));
      if (Variables.back()->isDeclaration())
        throw IRError("global variable '" + Name + "' is only declared");
    }
    for (GlobalVariable *Variable : Variables)
      Variable->setInitializer(Constant::getNullValue(Variable->getValueType()));
  });
}

void keepVariables(ModuleHandle &Handle, const std::vector<std::string> &Names) {
  Handle.use("keeping variables", [&](Module &M) {
    std::vector<GlobalValue *> Variables;
    for (const std::string &Name : Names)
      Variables.push_back(&findGlobalVariable(M, Name));
    if (!Variables.empty())
      appendToCompilerUsed(M, Variables);
  });
}

} // namespace dovetail
