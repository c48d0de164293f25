#include "variables.h"
#include "values.h"
#include "variable_properties.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/SetVector.h"

using namespace clang;

namespace dovetail {

namespace {

/// Whether the source itself says where on a device the variable is.
bool isDevices(const VarDecl &variable, const ASTContext &context) {
  if (variable.getType().getAddressSpace() != LangAS::Default)
    return true;
  return hasVariableProperties(variable, context);
}

bool isConstant(const VarDecl &variable, const ASTContext &context) {
  QualType type = variable.getType().getNonReferenceType();
  if (!context.getBaseElementType(type).isConstQualified())
    return false;
  const VarDecl *initialized = variable.getInitializingDeclaration();
  // Nothing on a device would run its destructor.
  return initialized && initialized->hasConstantInitialization() &&
         variable.needsDestruction(context) == QualType::DK_none;
}

} // namespace

VariableFault faultOf(const VarDecl &variable, const ASTContext &context) {
  if (variable.getTLSKind() != VarDecl::TLS_None)
    return {"thread-local", "thread-local"};
  if (variable.isConstexpr() || isDevices(variable, context) || isConstant(variable, context))
    return {};
  return {"global-variable", "non-constant"};
}

std::vector<const VarDecl *> faultyReferences(const VarDecl &constant, const ASTContext &context) {
  llvm::SmallSetVector<const VarDecl *, 4> reached;
  reached.insert(&constant);
  std::vector<const VarDecl *> faulty;
  for (size_t next = 0; next < reached.size(); ++next) {
    const VarDecl *initialized = reached[next]->getInitializingDeclaration();
    if (next && !faultOf(*reached[next], context).rule.empty())
      faulty.push_back(reached[next]);
    else if (initialized && initialized->hasConstantInitialization())
      if (const APValue *value = initialized->evaluateValue())
        visitReferences(*value, [&](const ValueDecl &named) {
          if (const auto *variable = dyn_cast<VarDecl>(&named);
              variable && variable->hasGlobalStorage())
            reached.insert(variable->getCanonicalDecl());
        });
  }
  return faulty;
}

} // namespace dovetail
