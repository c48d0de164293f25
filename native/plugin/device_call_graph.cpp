#include "device_call_graph.h"
#include "library.h"
#include "linkage.h"
#include "places.h"
#include "properties.h"
#include "spelling.h"
#include "unreached.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/BreadthFirstIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace dovetail {

namespace {

/// Whether a function is called for a failed assertion. A pass defines these functions.
bool isFailedAssertion(const FunctionDecl &Callee) {
  const IdentifierInfo *Name = Callee.getIdentifier();
  return Name && (Name->isStr("__assert_fail") || Name->isStr("__glibcxx_assert_fail"));
}

/// Whether the source declares a function as SYCL_EXTERNAL. The plugin adds the attribute to
/// kernels that are plain functions.
bool isExternal(const FunctionDecl &FD) {
  const FunctionDecl &Recent = *FD.getMostRecentDecl();
  const auto *A = Recent.getAttr<SYCLExternalAttr>();
  return (A && !A->isImplicit()) || isMarkedExternal(Recent);
}

/// Returns the variant of a constructor or destructor that has the code and that others call.
GlobalDecl variantWithCode(const FunctionDecl &FD) {
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(&FD))
    return GlobalDecl(Ctor, Ctor->getParent()->getNumVBases() ? Ctor_Complete : Ctor_Base);
  if (const auto *Dtor = dyn_cast<CXXDestructorDecl>(&FD))
    return GlobalDecl(Dtor, Dtor->getParent()->getNumVBases() ? Dtor_Complete : Dtor_Base);
  return GlobalDecl(&FD);
}

bool hasContent(const DeviceFunction &Function) {
  if (!Function.IsDefined)
    return Function.IsExternal;
  return Function.IsExternal || !Function.Attributes.empty() || !Function.Content.isEmpty();
}

int64_t tieBreaker(const UseFact &Use) { return Use.Aspect; }
auto tieBreaker(const CallFact &Call) { return std::tie(Call.Callee, Call.Cond); }
const std::string &tieBreaker(const ViolationFact &Violation) { return Violation.Rule; }

/// Sorts facts in the order of the source, within each file.
template <class Fact> void sortByPlace(std::vector<Fact> &Facts) {
  llvm::sort(Facts, [](const Fact &Left, const Fact &Right) {
    return std::make_tuple(Left.Place.File, Left.Place.Line, Left.Place.Column, tieBreaker(Left)) <
           std::make_tuple(Right.Place.File, Right.Place.Line, Right.Place.Column,
                           tieBreaker(Right));
  });
}

} // namespace

DeviceCallGraph::DeviceCallGraph(Sema &S)
    : S(S), Ctx(S.getASTContext()), Marks(S), Mangler(Ctx.createMangleContext()) {}

DeviceCallGraph::~DeviceCallGraph() = default;

const DeviceFunction *DeviceCallGraph::addRoot(const FunctionDecl &FD, std::string Symbol) {
  DeviceFunction &Root = functionFor(FD);
  Root.IsRoot = Root.IsKept = true;
  Root.Symbol = std::move(Symbol);
  return &Root;
}

DeviceFunction &DeviceCallGraph::functionFor(const FunctionDecl &FD) {
  auto [It, Inserted] = Known.try_emplace(FD.getCanonicalDecl());
  if (!Inserted)
    return *It->second;
  DeviceFunction &Function = *Functions.emplace_back(std::make_unique<DeviceFunction>());
  It->second = &Function;
  const FunctionDecl *Def = FD.getDefinition();
  Function.FD = Def ? Def : FD.getMostRecentDecl();
  Function.IsDefined = Def;
  Function.IsExternal = isExternal(FD);
  Function.Attributes = functionAttributes(FD, S);
  return Function;
}

void DeviceCallGraph::build() {
  size_t RootCount = Functions.size();
  for (size_t Next = 0; Next < Functions.size(); ++Next)
    if (Functions[Next]->IsDefined)
      read(*Functions[Next]);
  for (auto &Root : llvm::ArrayRef(Functions).take_front(RootCount)) {
    Root->ObjectFunction = findObjectFunction(*Root);
    if (Root->ObjectFunction)
      Root->ObjectFunction->IsKept = true;
  }
}

void DeviceCallGraph::read(DeviceFunction &Function) {
  Function.Content = readBody(*Function.FD, Function.IsRoot, Marks, Ctx);
  for (const Body::Call &Call : Function.Content.Calls) {
    DeviceFunction &Callee = functionFor(*Call.Callee);
    if (Callee.IsDefined || Callee.IsExternal)
      Function.Calls.push_back({&Callee, Call.Loc, Call.Cond.value_or(Condition())});
    else if (!isFailedAssertion(*Call.Callee) && !isInDeviceLibrary(*Call.Callee) &&
             !Call.Callee->isVariadic())
      Function.Content.Violations.push_back(undefined(*Call.Callee, Call.Loc));
  }
}

void DeviceCallGraph::checkConditionalCalls() const {
  for (const auto &Function : Functions) {
    for (const Body::Call &Call : Function->Content.Calls)
      if (!Call.Cond && isConditionalCaller(*Call.Callee, Ctx))
        reportNonConstantCondition(Call.Loc, S);
    if (Function->IsDefined && isConditionalCaller(*Function->FD, Ctx))
      checkConditionalCaller(*Function->FD, userCalls(*Function), S);
  }
}

std::vector<const VarDecl *> DeviceCallGraph::variables() const {
  std::vector<const VarDecl *> Found;
  for (const auto &Function : Functions)
    llvm::append_range(Found, Function->Content.Variables);
  return Found;
}

void DeviceCallGraph::emptyUnreached(llvm::ArrayRef<const CXXRecordDecl *> VTables) const {
  UnreachedFunctions Unreached(
      Ctx, [&](const FunctionDecl &FD) { return Known.contains(FD.getCanonicalDecl()); });
  for (const auto &Function : Functions) {
    for (const VarDecl *VD : Function->Content.Statics)
      Unreached.addVariable(*VD);
    if (isa<CXXConstructorDecl, CXXDestructorDecl>(Function->FD))
      Unreached.addVTable(*cast<CXXMethodDecl>(Function->FD)->getParent());
  }
  for (const CXXRecordDecl *RD : VTables)
    Unreached.addVTable(*RD);
  Unreached.empty();
}

void DeviceCallGraph::dropProperties() const {
  for (const auto &Function : Functions)
    if (containsPropertyList(Function->Attributes))
      for (FunctionDecl *Redecl : Function->FD->redecls())
        dropSYCLAttributes(*Redecl);
}

std::vector<SourceLocation> DeviceCallGraph::userCalls(const DeviceFunction &Function) const {
  const SourceManager &SM = Ctx.getSourceManager();
  std::vector<SourceLocation> Locs;
  std::vector<const DeviceFunction *> Pending{&Function};
  llvm::SmallPtrSet<const DeviceFunction *, 8> Seen{&Function};
  for (size_t Next = 0; Next < Pending.size(); ++Next)
    for (const auto &Caller : Functions)
      for (const DeviceFunction::Call &Call : Caller->Calls)
        if (Call.Callee != Pending[Next])
          continue;
        else if (!SM.isInSystemHeader(Call.Loc))
          Locs.push_back(Call.Loc);
        else if (Seen.insert(Caller.get()).second)
          Pending.push_back(Caller.get());
  llvm::sort(Locs);
  Locs.erase(llvm::unique(Locs), Locs.end());
  return Locs;
}

Body::Violation DeviceCallGraph::undefined(const FunctionDecl &Callee, SourceLocation Loc) const {
  if (Callee.isReplaceableGlobalAllocationFunction()) {
    OverloadedOperatorKind Kind = Callee.getOverloadedOperator();
    bool Allocates = Kind == OO_New || Kind == OO_Array_New;
    return {"allocation", Allocates ? "allocates memory" : "frees memory", Loc};
  }
  if (managesMemory(Callee))
    return {"allocation", "calls '" + nameOf(Callee, Ctx) + "'", Loc};
  if (Ctx.getSourceManager().isInSystemHeader(Callee.getLocation()) || isCalledInLibrary(Callee))
    return {"library-function",
            "calls '" + nameOf(Callee, Ctx) + "', a library function that devices do not have",
            Loc};
  return {"undefined-function",
          "calls '" + nameOf(Callee, Ctx) +
              "', which is not defined in this source and not SYCL_EXTERNAL",
          Loc};
}

DeviceFunction *DeviceCallGraph::findObjectFunction(DeviceFunction &Kernel) {
  if (!Kernel.FD->hasAttr<SYCLKernelEntryPointAttr>())
    return nullptr;
  llvm::SmallPtrSet<const CXXRecordDecl *, 4> Objects;
  for (const ParmVarDecl *Param : Kernel.FD->parameters())
    if (const CXXRecordDecl *Object = Param->getType()->getAsCXXRecordDecl())
      Objects.insert(Object->getCanonicalDecl());
  if (Objects.empty())
    return nullptr;
  // Headers may call the operator through functions of their own.
  for (DeviceFunction *Function : llvm::breadth_first(&Kernel)) {
    const auto *MD = dyn_cast<CXXMethodDecl>(Function->FD);
    if (MD && MD->getOverloadedOperator() == OO_Call &&
        Objects.contains(MD->getParent()->getCanonicalDecl()))
      return Function;
  }
  return nullptr;
}

/// Marks functions with content, their callers, and recursive functions, which Python reports.
void DeviceCallGraph::markKeptFunctions() {
  DeviceFunction Entry;
  for (const auto &Function : Functions)
    Entry.Calls.push_back({Function.get(), {}, {}});
  // The iterator visits callees before callers.
  for (auto SCC = llvm::scc_begin(&Entry); !SCC.isAtEnd(); ++SCC) {
    auto CallsKept = [](const DeviceFunction *Function) {
      return llvm::any_of(Function->Calls, [](const auto &Call) { return Call.Callee->IsKept; });
    };
    bool AreKept = SCC.hasCycle() || llvm::any_of(*SCC, [&](const DeviceFunction *Function) {
                     return Function->IsKept || hasContent(*Function) || CallsKept(Function);
                   });
    for (DeviceFunction *Function : *SCC)
      Function->IsKept = AreKept;
  }
}

std::vector<FunctionFact> DeviceCallGraph::facts(PlaceTable &Places) {
  markKeptFunctions();
  size_t Count = 0;
  for (auto &Function : Functions)
    if (Function->IsKept)
      Function->Index = Count++;
  std::vector<FunctionFact> Result;
  for (const auto &Function : Functions)
    if (Function->IsKept)
      Result.push_back(describe(*Function, Places));
  return Result;
}

FunctionFact DeviceCallGraph::describe(const DeviceFunction &Function, PlaceTable &Places) const {
  FunctionFact Fact;
  Fact.Symbol = Function.Symbol.empty() ? symbolOf(*Function.FD) : Function.Symbol;
  Fact.Name = nameOf(*Function.FD, Ctx);
  Fact.Place = Places.place(Function.FD->getLocation());
  Fact.IsDefined = Function.IsDefined;
  Fact.IsExternal = Function.IsExternal;
  Fact.IsInternal = dovetail::isInternal(*Function.FD);
  Fact.IsSystem = Ctx.getSourceManager().isInSystemHeader(Function.FD->getLocation());
  Fact.Attributes = propertiesIn(Function.Attributes, FunctionProperties, Ctx);
  if (auto Declared = declaredAspects(Function.Attributes, Ctx))
    Fact.Declared = {Declared->Attribute, Declared->Aspects, Places.place(Declared->Loc)};
  for (const AttributeUse &Use : Function.Attributes)
    if (Use.Name == "reqd_work_group_size")
      Fact.ReqdWorkGroupSize = sizes(Use, Ctx);
    else if (Use.Name == "reqd_sub_group_size")
      Fact.ReqdSubGroupSize = sizes(Use, Ctx);
    else if (Use.Name == "work_group_size_hint")
      Fact.WorkGroupSizeHint = sizes(Use, Ctx);
  for (const Body::Use &U : Function.Content.Uses)
    Fact.Uses.push_back({U.Aspect, U.What, Places.place(U.Loc)});
  Fact.Retained.assign(Function.Content.Retained.begin(), Function.Content.Retained.end());
  for (const DeviceFunction::Call &Call : Function.Calls)
    if (Call.Callee->IsKept)
      Fact.Calls.push_back({Call.Callee->Index, Places.place(Call.Loc), Call.Cond});
  for (const Body::Violation &Violation : Function.Content.Violations)
    Fact.Violations.push_back({Violation.Rule.str(), Violation.What, Places.place(Violation.Loc)});
  for (const Body::Reference &Reference : Function.Content.References)
    Fact.References.push_back({ASTNameGenerator(Ctx).getName(Reference.Variable),
                               Reference.Variable->getNameAsString(),
                               Reference.Constant->getNameAsString(), Places.place(Reference.Loc)});
  sortByPlace(Fact.Uses);
  sortByPlace(Fact.Calls);
  sortByPlace(Fact.Violations);
  return Fact;
}

std::string DeviceCallGraph::symbolOf(const FunctionDecl &FD) const {
  if (!Mangler->shouldMangleDeclName(&FD))
    return FD.getNameAsString();
  std::string Symbol;
  llvm::raw_string_ostream OS(Symbol);
  Mangler->mangleName(variantWithCode(FD), OS);
  return Symbol;
}

} // namespace dovetail
