// The attribute `dovetail_external`: clang's `sycl_external` in GNU syntax.
//
// Clang accepts `[[clang::sycl_external]]` only at the beginning of a declaration and not before
// `extern "C"`. GNU attributes may be anywhere among the specifiers, as programs for DPC++ write
// SYCL_EXTERNAL. The headers use this attribute if __has_attribute says that the plugin provides
// it.
#include "clang/AST/Attr.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace {

struct ExternalAttribute : ParsedAttrInfo {
  ExternalAttribute() {
    static constexpr Spelling Names[] = {{ParsedAttr::AS_GNU, "dovetail_external"}};
    Spellings = Names;
  }

  bool diagAppertainsToDecl(Sema &S, const ParsedAttr &Attr, const Decl *D) const override {
    if (isa<FunctionDecl>(D))
      return true;
    S.Diag(Attr.getLoc(), diag::warn_attribute_wrong_decl_type_str)
        << Attr << Attr.isRegularKeywordAttribute() << "functions";
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &Attr) const override {
    if (!D->hasAttr<SYCLExternalAttr>())
      D->addAttr(SYCLExternalAttr::Create(S.Context, Attr.getRange()));
    return AttributeApplied;
  }
};

// NOLINTNEXTLINE(bugprone-throwing-static-initialization)
ParsedAttrInfoRegistry::Add<ExternalAttribute> Registered("dovetail_external", "SYCL_EXTERNAL");

} // namespace
