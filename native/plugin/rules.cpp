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
DiagnosticBuilder report(DiagnosticsEngine &Diags, SourceLocation Loc, const char (&Text)[Size]) {
  return Diags.Report(Loc, Diags.getCustomDiagID(DiagnosticsEngine::Error, Text));
}

/// Reports the parts of a kernel object that cannot be copied to a device.
class ObjectCheck {
public:
  explicit ObjectCheck(Sema &S) : S(S), Diags(S.getDiagnostics()) {}

  void check(const CXXRecordDecl &RD) {
    // Report each class once.
    if (!RD.hasDefinition() || !Seen.insert(RD.getCanonicalDecl()).second)
      return;
    for (const CXXBaseSpecifier &Base : RD.bases())
      checkPart(Base.getType());
    if (RD.isLambda())
      checkCaptures(RD);
    else
      checkFields(RD);
  }

private:
  void checkPart(QualType T) {
    T = T->getBaseElementTypeUnsafe()->getCanonicalTypeInternal();
    if (const CXXRecordDecl *RD = T->getAsCXXRecordDecl())
      check(*RD);
  }

  void checkFields(const CXXRecordDecl &RD) {
    for (const FieldDecl *Field : RD.fields()) {
      if (Field->getType()->isReferenceType())
        report(Diags, Field->getLocation(),
               "member '%0' of a kernel object is a reference; use a value, or a pointer to memory "
               "that the device can access")
            << Field->getName();
      else if (isUserClass(RD) && !isCopyable(Field->getType(), Field->getLocation()))
        report(Diags, Field->getLocation(),
               "member '%0' of a kernel object has type %1, which is not device-copyable; make it "
               "trivially copyable or specialize sycl::is_device_copyable")
            << Field->getName() << Field->getType();
      else
        checkPart(Field->getType());
    }
  }

  /// The SYCL headers wrap the user's object in classes of their own.
  bool isUserClass(const CXXRecordDecl &RD) const {
    return !S.getSourceManager().isInSystemHeader(RD.getLocation());
  }

  /// The captures of a lambda are checked one by one.
  bool isCopyable(QualType T, SourceLocation Loc) {
    const CXXRecordDecl *RD = T->getAsCXXRecordDecl();
    return (RD && RD->isLambda()) || isDeviceCopyable(T, S, Loc);
  }

  void checkCaptures(const CXXRecordDecl &RD) {
    // Fields and captures of a lambda are in the same order.
    auto Field = RD.field_begin();
    for (const LambdaCapture &Capture : RD.captures()) {
      if (Capture.getCaptureKind() == LCK_ByRef && Capture.capturesVariable())
        report(Diags, Capture.getLocation(),
               "kernel captures '%0' by reference, which the device cannot access; capture by "
               "value, with [=]")
            << Capture.getCapturedVar()->getName();
      else if (Capture.capturesVariable() && !isCopyable(Field->getType(), Capture.getLocation()))
        report(Diags, Capture.getLocation(),
               "kernel captures '%0' of type %1, which is not device-copyable; make it trivially "
               "copyable or specialize sycl::is_device_copyable")
            << Capture.getCapturedVar()->getName() << Field->getType();
      else
        checkPart(Field->getType());
      ++Field;
    }
  }

  Sema &S;
  DiagnosticsEngine &Diags;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Seen;
};

/// Whether the host can allocate memory in an address space.
bool isGlobal(LangAS Space) {
  switch (Space) {
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
    // The number of the global address space is the same for all targets.
    return isTargetAddressSpace(Space) && toTargetAddressSpace(Space) == 1;
  }
}

/// The size of arguments that no driver accepts; kernel_info.py has the same limit.
constexpr int64_t MaxBytes = 1 << 20;

class KernelCheck {
public:
  KernelCheck(const FunctionDecl &Kernel, Sema &S)
      : Kernel(Kernel), S(S), Diags(S.getDiagnostics()),
        IsFunction(!Kernel.hasAttr<SYCLKernelEntryPointAttr>()) {}

  void check() {
    if (IsFunction)
      checkFunction();
    for (const ParmVarDecl *Param : Kernel.parameters())
      check(*Param);
  }

private:
  void checkFunction() {
    if (!Kernel.getReturnType()->isVoidType())
      report(Diags, Kernel.getLocation(), "kernel '%0' must return 'void', not %1")
          << Kernel.getNameAsString() << Kernel.getReturnType();
    if (Kernel.isVariadic())
      report(Diags, Kernel.getEllipsisLoc(), "kernel '%0' cannot be variadic")
          << Kernel.getNameAsString();
  }

  void check(const ParmVarDecl &Param) {
    QualType T = Param.getType();
    if (!T->isReferenceType() && isTooLarge(T))
      reportTooLarge(Param);
    else if (T->isReferenceType())
      reportParameter(Param,
                      "parameter '%0' of kernel '%1' is a reference; pass a value or a pointer");
    else if (const CXXRecordDecl *RD = T->getAsCXXRecordDecl())
      checkObject(Param, *RD);
    else if (!isSupportedVector(T))
      reportParameter(Param,
                      "parameter '%0' of kernel '%1' is a vector of unsupported length; use 2, 3, "
                      "4, 8 or 16 elements");
    else if (IsFunction && T->isPointerType() && !isGlobal(T->getPointeeType().getAddressSpace()))
      reportParameter(Param,
                      "parameter '%0' of kernel '%1' does not point to global memory; pass a "
                      "pointer to global memory");
  }

  /// SPIR-V has vectors of a few lengths only. Inside a kernel, LLVM splits others.
  bool isSupportedVector(QualType T) const {
    const auto *Vector = T->getAs<VectorType>();
    if (!Vector || !S.getASTContext().getTargetInfo().getTriple().isSPIRV())
      return true;
    return llvm::is_contained({2u, 3u, 4u, 8u, 16u}, Vector->getNumElements());
  }

  bool isTooLarge(QualType T) const {
    const ASTContext &Ctx = S.getASTContext();
    return Ctx.getTypeSizeInChars(T).getQuantity() >= MaxBytes ||
           Ctx.getTypeAlignInChars(T).getQuantity() >= MaxBytes;
  }

  /// Reports a parameter, or the class of a kernel object, which the user has written.
  void reportTooLarge(const ParmVarDecl &Param) {
    const CXXRecordDecl *RD = Param.getType()->getAsCXXRecordDecl();
    SourceLocation Loc = IsFunction || !RD ? Param.getLocation() : RD->getLocation();
    report(
        Diags, Loc,
        "kernel parameter of type %0 has a size or alignment of %1 bytes or more; pass a pointer "
        "to memory that the device can access")
        << Param.getType() << static_cast<unsigned>(MaxBytes);
  }

  void checkObject(const ParmVarDecl &Param, const CXXRecordDecl &RD) {
    // Such a class is passed by address, since its copy constructor or destructor is not trivial.
    // The assignment operator may be nontrivial, as in std::pair.
    if (IsFunction && !RD.canPassInRegisters())
      reportParameter(
          Param, "parameter '%0' of kernel '%1' has a class with a nontrivial copy constructor or "
                 "destructor; pass a class that can be copied byte by byte");
    else
      ObjectCheck(S).check(RD);
  }

  template <unsigned Size>
  void reportParameter(const ParmVarDecl &Param, const char (&Text)[Size]) {
    report(Diags, Param.getLocation(), Text) << Param.getName() << Kernel.getNameAsString();
  }

  const FunctionDecl &Kernel;
  Sema &S;
  DiagnosticsEngine &Diags;
  bool IsFunction;
};

} // namespace

void checkKernel(const FunctionDecl &Kernel, Sema &S) { KernelCheck(Kernel, S).check(); }

} // namespace dovetail
