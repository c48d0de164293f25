#include "reach.h"
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
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace dovetail {

namespace {

/// What the standard library calls when an assertion fails; a pass gives it a body.
bool isFailedAssertion(const FunctionDecl &callee) {
  const IdentifierInfo *name = callee.getIdentifier();
  return name && (name->isStr("__assert_fail") || name->isStr("__glibcxx_assert_fail"));
}

/// That the source says so; plain functions that are kernels have the attribute from us.
bool isExternal(const FunctionDecl &function) {
  const auto *attribute = function.getMostRecentDecl()->getAttr<SYCLExternalAttr>();
  return attribute && !attribute->isImplicit();
}

/// Of constructors and destructors, the variant that has the code, which every other calls.
GlobalDecl variantWithCode(const FunctionDecl &function) {
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&function))
    return GlobalDecl(constructor,
                      constructor->getParent()->getNumVBases() ? Ctor_Complete : Ctor_Base);
  if (const auto *destructor = dyn_cast<CXXDestructorDecl>(&function))
    return GlobalDecl(destructor,
                      destructor->getParent()->getNumVBases() ? Dtor_Complete : Dtor_Base);
  return GlobalDecl(&function);
}

int64_t tieBreaker(const UseFact &use) { return use.aspect; }
auto tieBreaker(const CallFact &call) { return std::tie(call.callee, call.condition); }
const std::string &tieBreaker(const ViolationFact &violation) { return violation.rule; }

/// Puts what was found in the order of the source, as far as it is in one file.
template <class Fact> void sortByPlace(std::vector<Fact> &facts) {
  llvm::sort(facts, [](const Fact &left, const Fact &right) {
    return std::make_tuple(left.place.file, left.place.line, left.place.column, tieBreaker(left)) <
           std::make_tuple(right.place.file, right.place.line, right.place.column,
                           tieBreaker(right));
  });
}

} // namespace

Reach::Reach(Sema &sema)
    : sema(sema), context(sema.getASTContext()), marks(sema),
      mangler(context.createMangleContext()) {}

Reach::~Reach() = default;

size_t Reach::addRoot(const FunctionDecl &function, std::string symbol) {
  size_t root = number(function);
  nodes[root].isRoot = nodes[root].isKept = true;
  nodes[root].symbol = std::move(symbol);
  return root;
}

size_t Reach::number(const FunctionDecl &function) {
  auto [entry, isNew] = known.try_emplace(function.getCanonicalDecl(), nodes.size());
  if (isNew) {
    Node &node = nodes.emplace_back();
    const FunctionDecl *definition = function.getDefinition();
    node.function = definition ? definition : function.getMostRecentDecl();
    node.isDefined = definition;
    node.isExternal = isExternal(function);
    node.attributes = functionAttributes(function, sema);
  }
  return entry->second;
}

void Reach::follow() {
  size_t roots = nodes.size();
  for (size_t next = 0; next < nodes.size(); ++next)
    if (nodes[next].isDefined)
      read(next);
  for (size_t root = 0; root < roots; ++root)
    if ((nodes[root].objectFunction = findObjectFunction(root)))
      nodes[*nodes[root].objectFunction].isKept = true;
}

void Reach::read(size_t caller) {
  Body body = readBody(*nodes[caller].function, nodes[caller].isRoot, marks, context);
  std::vector<Call> calls;
  for (const Body::Call &call : body.calls) {
    size_t callee = number(*call.callee);
    if (nodes[callee].isDefined || nodes[callee].isExternal)
      calls.push_back({callee, call.place, call.condition.value_or(Condition())});
    else if (!isFailedAssertion(*call.callee))
      body.violations.push_back(undefined(*call.callee, call.place));
  }
  nodes[caller].body = std::move(body);
  nodes[caller].calls = std::move(calls);
}

void Reach::checkConditionalCalls() const {
  for (size_t number = 0; number < nodes.size(); ++number) {
    const Node &node = nodes[number];
    for (const Body::Call &call : node.body.calls)
      if (!call.condition && isConditionalCaller(*call.callee, context))
        reportVariableCondition(call.place, sema);
    if (node.isDefined && isConditionalCaller(*node.function, context))
      checkConditionalCaller(*node.function, placesOfUse(number), sema);
  }
}

std::vector<const VarDecl *> Reach::variables() const {
  std::vector<const VarDecl *> found;
  for (const Node &node : nodes)
    llvm::append_range(found, node.body.variables);
  return found;
}

void Reach::emptyUnreached(llvm::ArrayRef<const CXXRecordDecl *> vtables) const {
  UnreachedFunctions unreached(context, [&](const FunctionDecl &function) {
    return known.contains(function.getCanonicalDecl());
  });
  for (const Node &node : nodes) {
    for (const VarDecl *variable : node.body.statics)
      unreached.addVariable(*variable);
    if (isa<CXXConstructorDecl, CXXDestructorDecl>(node.function))
      unreached.addVTable(*cast<CXXMethodDecl>(node.function)->getParent());
  }
  for (const CXXRecordDecl *record : vtables)
    unreached.addVTable(*record);
  unreached.empty();
}

void Reach::dropProperties() const {
  for (const Node &node : nodes)
    if (anyTakesProperties(node.attributes))
      for (FunctionDecl *declaration : node.function->redecls())
        dropOurs(*declaration);
}

std::vector<SourceLocation> Reach::placesOfUse(size_t used) const {
  const SourceManager &sources = context.getSourceManager();
  std::vector<SourceLocation> places;
  std::vector<size_t> pending{used};
  llvm::DenseSet<size_t> seen{used};
  for (size_t next = 0; next < pending.size(); ++next)
    for (size_t caller = 0; caller < nodes.size(); ++caller)
      for (const Call &call : nodes[caller].calls)
        if (call.callee != pending[next])
          continue;
        else if (!sources.isInSystemHeader(call.place))
          places.push_back(call.place);
        else if (seen.insert(caller).second)
          pending.push_back(caller);
  llvm::sort(places);
  places.erase(llvm::unique(places), places.end());
  return places;
}

Body::Violation Reach::undefined(const FunctionDecl &callee, SourceLocation place) const {
  if (callee.isReplaceableGlobalAllocationFunction()) {
    OverloadedOperatorKind kind = callee.getOverloadedOperator();
    bool allocates = kind == OO_New || kind == OO_Array_New;
    return {"allocation", allocates ? "allocates memory" : "frees memory", place};
  }
  return {"undefined-function",
          "calls '" + nameOf(callee, context) +
              "', which is not defined in this source and not SYCL_EXTERNAL",
          place};
}

std::optional<size_t> Reach::findObjectFunction(size_t kernel) const {
  const FunctionDecl &entry = *nodes[kernel].function;
  if (!entry.hasAttr<SYCLKernelEntryPointAttr>())
    return std::nullopt;
  llvm::SmallPtrSet<const CXXRecordDecl *, 4> objects;
  for (const ParmVarDecl *parameter : entry.parameters())
    if (const CXXRecordDecl *object = parameter->getType()->getAsCXXRecordDecl())
      objects.insert(object->getCanonicalDecl());
  auto isOperator = [&](const FunctionDecl &function) {
    const auto *method = dyn_cast<CXXMethodDecl>(&function);
    return method && method->getOverloadedOperator() == OO_Call &&
           objects.contains(method->getParent()->getCanonicalDecl());
  };
  // Headers may call it through functions of their own: the nearest one is meant.
  std::vector<size_t> pending{kernel};
  llvm::DenseSet<size_t> seen{kernel};
  for (size_t next = 0; next < pending.size() && !objects.empty(); ++next) {
    if (isOperator(*nodes[pending[next]].function))
      return pending[next];
    for (const Call &call : nodes[pending[next]].calls)
      if (seen.insert(call.callee).second)
        pending.push_back(call.callee);
  }
  return std::nullopt;
}

std::optional<size_t> Reach::objectFunction(size_t kernel) const {
  std::optional<size_t> found = nodes[kernel].objectFunction;
  return found ? std::optional(nodes[*found].index) : std::nullopt;
}

bool Reach::isWorthTelling(const Node &node) const {
  if (!node.isDefined)
    return node.isExternal;
  return node.isExternal || !node.attributes.empty() || !node.body.isSilent();
}

/// Walks in depth from every function, once: a function is kept if it says something, if it calls
/// what is kept, or if it is in a circle of calls, which is for others to judge.
void Reach::keepWhatMatters() {
  enum State : char { New, Open, Done };
  std::vector<State> states(nodes.size(), New);
  std::vector<std::pair<size_t, size_t>> open; // a function, and the next of its calls
  auto enter = [&](size_t number) {
    nodes[number].isKept |= isWorthTelling(nodes[number]);
    states[number] = Open;
    open.push_back({number, 0});
  };
  auto keepCircle = [&](size_t start) {
    size_t i = open.size();
    do
      nodes[open[--i].first].isKept = true;
    while (open[i].first != start);
  };
  auto leave = [&] {
    auto [done, _] = open.back();
    states[done] = Done;
    open.pop_back();
    if (!open.empty())
      nodes[open.back().first].isKept |= nodes[done].isKept;
  };
  auto follow = [&](size_t caller, size_t callee) {
    if (states[callee] == New)
      enter(callee);
    else if (states[callee] == Open)
      keepCircle(callee);
    else
      nodes[caller].isKept |= nodes[callee].isKept;
  };
  for (size_t start = 0; start < nodes.size(); ++start) {
    if (states[start] == New)
      enter(start);
    while (!open.empty()) {
      auto &[caller, next] = open.back();
      if (next < nodes[caller].calls.size())
        follow(caller, nodes[caller].calls[next++].callee);
      else
        leave();
    }
  }
}

std::vector<FunctionFact> Reach::facts(PlaceTable &places) {
  keepWhatMatters();
  size_t count = 0;
  for (Node &node : nodes)
    if (node.isKept)
      node.index = count++;
  std::vector<FunctionFact> facts;
  for (const Node &node : nodes)
    if (node.isKept)
      facts.push_back(describe(node, places));
  return facts;
}

FunctionFact Reach::describe(const Node &node, PlaceTable &places) const {
  FunctionFact fact;
  fact.symbol = node.symbol.empty() ? symbolOf(*node.function) : node.symbol;
  fact.name = nameOf(*node.function, context);
  fact.place = places.place(node.function->getLocation());
  fact.isDefined = node.isDefined;
  fact.isExternal = node.isExternal;
  fact.isInternal = dovetail::isInternal(*node.function);
  fact.attributes = propertiesIn(node.attributes, ofFunction, context);
  if (auto declared = declaredAspects(node.attributes, context))
    fact.declared = {declared->attribute, declared->aspects, places.place(declared->place)};
  for (const AttributeUse &use : node.attributes)
    if (use.name == "reqd_work_group_size")
      fact.reqdWorkGroupSize = sizes(use, context);
    else if (use.name == "reqd_sub_group_size")
      fact.reqdSubGroupSize = sizes(use, context);
    else if (use.name == "work_group_size_hint")
      fact.workGroupSizeHint = sizes(use, context);
  for (const Body::Use &use : node.body.uses)
    fact.uses.push_back({use.aspect, use.what, places.place(use.place)});
  fact.retained.assign(node.body.retained.begin(), node.body.retained.end());
  for (const Call &call : node.calls)
    if (nodes[call.callee].isKept)
      fact.calls.push_back({nodes[call.callee].index, places.place(call.place), call.condition});
  for (const Body::Violation &violation : node.body.violations)
    fact.violations.push_back(
        {violation.rule.str(), violation.what, places.place(violation.place)});
  for (const Body::Reference &reference : node.body.references)
    fact.references.push_back({ASTNameGenerator(context).getName(reference.variable),
                               reference.variable->getNameAsString(),
                               reference.constant->getNameAsString(),
                               places.place(reference.place)});
  sortByPlace(fact.uses);
  sortByPlace(fact.calls);
  sortByPlace(fact.violations);
  return fact;
}

std::string Reach::symbolOf(const FunctionDecl &function) const {
  if (!mangler->shouldMangleDeclName(&function))
    return function.getNameAsString();
  std::string symbol;
  llvm::raw_string_ostream out(symbol);
  mangler->mangleName(variantWithCode(function), out);
  return symbol;
}

} // namespace dovetail
