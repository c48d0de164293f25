#include "values.h"
#include "clang/AST/APValue.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace dovetail {

static bool isNumber(const APValue &value) {
  return !value.hasValue() || value.isInt() || value.isFloat() || value.isFixedPoint();
}

void visitReferences(const APValue &value, llvm::function_ref<void(const ValueDecl &)> found) {
  switch (value.getKind()) {
  case APValue::LValue:
    if (const auto *named = value.getLValueBase().dyn_cast<const ValueDecl *>())
      found(*named);
    else if (const auto *expression = value.getLValueBase().dyn_cast<const Expr *>())
      if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expression))
        if (const APValue *held = temporary->getOrCreateValue(/*MayCreate=*/false))
          visitReferences(*held, found);
    return;
  case APValue::MemberPointer:
    if (const ValueDecl *named = value.getMemberPointerDecl())
      found(*named);
    return;
  case APValue::Struct:
    for (unsigned base = 0; base < value.getStructNumBases(); ++base)
      visitReferences(value.getStructBase(base), found);
    for (unsigned field = 0; field < value.getStructNumFields(); ++field)
      visitReferences(value.getStructField(field), found);
    return;
  case APValue::Union:
    return visitReferences(value.getUnionValue(), found);
  case APValue::Array:
    // Tables of numbers can be long.
    if (value.getArrayInitializedElts() && isNumber(value.getArrayInitializedElt(0)))
      return;
    for (unsigned element = 0; element < value.getArrayInitializedElts(); ++element)
      visitReferences(value.getArrayInitializedElt(element), found);
    if (value.hasArrayFiller())
      visitReferences(value.getArrayFiller(), found);
    return;
  default:
    return;
  }
}

} // namespace dovetail
