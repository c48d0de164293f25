#include "library.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/TargetInfo.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace dovetail {

namespace {

llvm::StringRef nameOf(const FunctionDecl &FD) {
  const IdentifierInfo *Name = FD.getIdentifier();
  return Name ? Name->getName() : "";
}

/// Whether a function cannot be one of a namespace or class.
bool isGlobal(const FunctionDecl &FD) {
  return FD.getDeclContext()->getRedeclContext()->isTranslationUnit() || FD.isExternC();
}

} // namespace

bool isInDeviceLibrary(const FunctionDecl &FD) {
  static const llvm::StringSet<> Names = {
#include "device_library.inc"
  };
  return isGlobal(FD) && Names.contains(nameOf(FD));
}

bool managesMemory(const FunctionDecl &FD) {
  static const llvm::StringSet<> Names = {"aligned_alloc", "calloc",         "free",
                                          "malloc",        "posix_memalign", "realloc"};
  return isGlobal(FD) && Names.contains(nameOf(FD));
}

bool isCalledInLibrary(const FunctionDecl &FD) {
  static const llvm::StringSet<> Replaced = {"abs",    "alloca",  "bzero",  "ffs",
                                             "ffsl",   "ffsll",   "labs",   "llabs",
                                             "memcpy", "memmove", "memset", "mempcpy"};
  // CUDA's driver has an allocator.
  static const llvm::StringSet<> OfDriver = {"free", "malloc"};
  const ASTContext &Ctx = FD.getASTContext();
  unsigned ID = FD.getBuiltinID();
  if (!ID || FD.isInStdNamespace() || !Ctx.BuiltinInfo.isPredefinedLibFunction(ID))
    return false;
  if (Ctx.getTargetInfo().getTriple().isNVPTX() && OfDriver.contains(nameOf(FD)))
    return false;
  return !Replaced.contains(nameOf(FD));
}

} // namespace dovetail
