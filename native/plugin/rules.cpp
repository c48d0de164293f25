#include "rules.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace dovetail {

namespace {

template <unsigned Size>
DiagnosticBuilder report(DiagnosticsEngine &diagnostics, SourceLocation place,
                         const char (&text)[Size]) {
  return diagnostics.Report(place, diagnostics.getCustomDiagID(DiagnosticsEngine::Error, text));
}

class ReferenceSearch {
public:
  explicit ReferenceSearch(DiagnosticsEngine &diagnostics) : diagnostics(diagnostics) {}

  void search(const CXXRecordDecl &record) {
    // A class that occurs twice is reported once.
    if (!record.hasDefinition() || !seen.insert(record.getCanonicalDecl()).second)
      return;
    for (const CXXBaseSpecifier &base : record.bases())
      part(base.getType());
    if (record.isLambda())
      captures(record);
    else
      fields(record);
  }

private:
  void part(QualType type) {
    type = type->getBaseElementTypeUnsafe()->getCanonicalTypeInternal();
    if (const CXXRecordDecl *record = type->getAsCXXRecordDecl())
      search(*record);
  }

  void fields(const CXXRecordDecl &record) {
    for (const FieldDecl *field : record.fields()) {
      if (field->getType()->isReferenceType())
        report(diagnostics, field->getLocation(),
               "member '%0' of a kernel object is a reference; use a value or "
               "a pointer to memory that the device reaches")
            << field->getName();
      else
        part(field->getType());
    }
  }

  void captures(const CXXRecordDecl &record) {
    // Fields and captures of a lambda are in the same order.
    auto field = record.field_begin();
    for (const LambdaCapture &capture : record.captures()) {
      if (capture.getCaptureKind() == LCK_ByRef && capture.capturesVariable())
        report(diagnostics, capture.getLocation(),
               "kernel captures '%0' by reference, which the device cannot "
               "reach; capture by value, with [=]")
            << capture.getCapturedVar()->getName();
      else
        part(field->getType());
      ++field;
    }
  }

  DiagnosticsEngine &diagnostics;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> seen;
};

/// Whether the host can have memory there.
bool isGlobal(LangAS space) {
  switch (space) {
  case LangAS::Default:
  case LangAS::opencl_generic:
  case LangAS::opencl_global:
  case LangAS::opencl_global_device:
  case LangAS::opencl_global_host:
  case LangAS::sycl_global:
  case LangAS::sycl_global_device:
  case LangAS::sycl_global_host:
    return true;
  default:
    // By number, it is the same on all the devices that we compile for.
    return isTargetAddressSpace(space) && toTargetAddressSpace(space) == 1;
  }
}

class KernelCheck {
public:
  KernelCheck(const FunctionDecl &kernel, DiagnosticsEngine &diagnostics)
      : kernel(kernel), diagnostics(diagnostics),
        isFunction(!kernel.hasAttr<SYCLKernelEntryPointAttr>()) {}

  void check() {
    if (isFunction)
      shape();
    for (const ParmVarDecl *parameter : kernel.parameters())
      check(*parameter);
  }

private:
  void shape() {
    if (!kernel.getReturnType()->isVoidType())
      report(diagnostics, kernel.getLocation(), "kernel '%0' must return void")
          << kernel.getNameAsString();
    if (kernel.isVariadic())
      report(diagnostics, kernel.getEllipsisLoc(),
             "kernel '%0' takes any number of arguments; a kernel's parameters are fixed")
          << kernel.getNameAsString();
  }

  void check(const ParmVarDecl &parameter) {
    QualType type = parameter.getType();
    if (type->isReferenceType())
      wrong(parameter,
            "parameter '%0' of kernel '%1' is a reference; kernels take values and pointers");
    else if (const CXXRecordDecl *record = type->getAsCXXRecordDecl())
      object(parameter, *record);
    else if (isFunction && type->isPointerType() &&
             !isGlobal(type->getPointeeType().getAddressSpace()))
      wrong(parameter, "parameter '%0' of kernel '%1' points to memory that the host cannot hand "
                       "over; kernels take pointers to global memory");
  }

  void object(const ParmVarDecl &parameter, const CXXRecordDecl &record) {
    // Such a class is handed over by its address, since it has a copy constructor or a destructor
    // to run. Assignment alone may be the class's own: std::pair's is.
    if (isFunction && !record.canPassInRegisters())
      wrong(parameter,
            "parameter '%0' of kernel '%1' has a class that cannot be copied byte by byte");
    else
      ReferenceSearch(diagnostics).search(record);
  }

  template <unsigned Size> void wrong(const ParmVarDecl &parameter, const char (&text)[Size]) {
    report(diagnostics, parameter.getLocation(), text)
        << parameter.getName() << kernel.getNameAsString();
  }

  const FunctionDecl &kernel;
  DiagnosticsEngine &diagnostics;
  bool isFunction;
};

} // namespace

void checkKernel(const FunctionDecl &kernel, DiagnosticsEngine &diagnostics) {
  KernelCheck(kernel, diagnostics).check();
}

} // namespace dovetail
