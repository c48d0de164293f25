#include "variables.h"
#include "variable_properties.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

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
  return initialized && initialized->hasConstantInitialization();
}

} // namespace

VariableFault faultOf(const VarDecl &variable, const ASTContext &context) {
  if (variable.getTLSKind() != VarDecl::TLS_None)
    return {"thread-local", "which is thread-local"};
  if (variable.isConstexpr() || isDevices(variable, context) || isConstant(variable, context))
    return {};
  return {"global-variable", "which is not a constant"};
}

} // namespace dovetail
