#include "rules.h"
#include "copyable.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace dovetail {

namespace {

template <unsigned Size>
DiagnosticBuilder report(DiagnosticsEngine &diagnostics, SourceLocation place,
                         const char (&text)[Size]) {
  return diagnostics.Report(place, diagnostics.getCustomDiagID(DiagnosticsEngine::Error, text));
}

/// Looks through a kernel object for what cannot go to a device.
class ObjectSearch {
public:
  explicit ObjectSearch(Sema &sema) : sema(sema), diagnostics(sema.getDiagnostics()) {}

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
      else if (isOursToTell(record) && !isCopyable(field->getType(), field->getLocation()))
        report(diagnostics, field->getLocation(),
               "member '%0' of a kernel object has type %1, which cannot be copied to a device; "
               "see sycl::is_device_copyable")
            << field->getName() << field->getType();
      else
        part(field->getType());
    }
  }

  /// Our headers wrap the user's object in classes of theirs, whose members are not to blame.
  bool isOursToTell(const CXXRecordDecl &record) const {
    return !sema.getSourceManager().isInSystemHeader(record.getLocation());
  }

  /// A lambda is as good as its captures, which come next.
  bool isCopyable(QualType type, SourceLocation place) {
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    return (record && record->isLambda()) || isDeviceCopyable(type, sema, place);
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
      else if (capture.capturesVariable() && !isCopyable(field->getType(), capture.getLocation()))
        report(diagnostics, capture.getLocation(),
               "kernel captures '%0' of type %1, which cannot be copied to a device; see "
               "sycl::is_device_copyable")
            << capture.getCapturedVar()->getName() << field->getType();
      else
        part(field->getType());
      ++field;
    }
  }

  Sema &sema;
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

/// What no driver takes for one argument; kernel_info.py has the same limit.
constexpr int64_t maxBytes = 1 << 20;

class KernelCheck {
public:
  KernelCheck(const FunctionDecl &kernel, Sema &sema)
      : kernel(kernel), sema(sema), diagnostics(sema.getDiagnostics()),
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
      report(diagnostics, kernel.getEllipsisLoc(), "kernel '%0' cannot be variadic")
          << kernel.getNameAsString();
  }

  void check(const ParmVarDecl &parameter) {
    QualType type = parameter.getType();
    if (!type->isReferenceType() && isTooLarge(type))
      tooLarge(parameter);
    else if (type->isReferenceType())
      wrong(parameter,
            "parameter '%0' of kernel '%1' is a reference; kernels take values and pointers");
    else if (const CXXRecordDecl *record = type->getAsCXXRecordDecl())
      object(parameter, *record);
    else if (!isVectorOfDevices(type))
      wrong(parameter, "parameter '%0' of kernel '%1' is a vector that devices do not have; they "
                       "have vectors of 2, 3, 4, 8 and 16 elements");
    else if (isFunction && type->isPointerType() &&
             !isGlobal(type->getPointeeType().getAddressSpace()))
      wrong(parameter, "parameter '%0' of kernel '%1' points to memory that the host cannot hand "
                       "over; kernels take pointers to global memory");
  }

  /// SPIR-V has vectors of only a few lengths; inside a kernel, LLVM takes others apart.
  bool isVectorOfDevices(QualType type) const {
    const auto *vector = type->getAs<VectorType>();
    if (!vector || !sema.getASTContext().getTargetInfo().getTriple().isSPIRV())
      return true;
    return llvm::is_contained({2u, 3u, 4u, 8u, 16u}, vector->getNumElements());
  }

  bool isTooLarge(QualType type) const {
    const ASTContext &context = sema.getASTContext();
    return context.getTypeSizeInChars(type).getQuantity() >= maxBytes ||
           context.getTypeAlignInChars(type).getQuantity() >= maxBytes;
  }

  /// What the user wrote is the kernel object, not the parameter that it is passed by.
  void tooLarge(const ParmVarDecl &parameter) {
    const CXXRecordDecl *record = parameter.getType()->getAsCXXRecordDecl();
    SourceLocation place = isFunction || !record ? parameter.getLocation() : record->getLocation();
    report(diagnostics, place,
           "a kernel is given an object of type %0, which takes or is aligned to %1 bytes or more; "
           "pass a pointer to memory that the device reaches")
        << parameter.getType() << static_cast<unsigned>(maxBytes);
  }

  void object(const ParmVarDecl &parameter, const CXXRecordDecl &record) {
    // Such a class is handed over by its address, since it has a copy constructor or a destructor
    // to run. Assignment alone may be the class's own: std::pair's is.
    if (isFunction && !record.canPassInRegisters())
      wrong(parameter,
            "parameter '%0' of kernel '%1' has a class that cannot be copied byte by byte");
    else
      ObjectSearch(sema).search(record);
  }

  template <unsigned Size> void wrong(const ParmVarDecl &parameter, const char (&text)[Size]) {
    report(diagnostics, parameter.getLocation(), text)
        << parameter.getName() << kernel.getNameAsString();
  }

  const FunctionDecl &kernel;
  Sema &sema;
  DiagnosticsEngine &diagnostics;
  bool isFunction;
};

} // namespace

void checkKernel(const FunctionDecl &kernel, Sema &sema) { KernelCheck(kernel, sema).check(); }

} // namespace dovetail
