// Groups of tokens that mean the same for the place of an attribute.
#pragma once

#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/STLExtras.h"
#include <initializer_list>

namespace dovetail {

inline bool isOneOf(clang::tok::TokenKind kind,
                    std::initializer_list<clang::tok::TokenKind> kinds) {
  return llvm::is_contained(kinds, kind);
}

inline bool isTypeKeyword(clang::tok::TokenKind kind) {
  return isOneOf(kind, {clang::tok::kw_void, clang::tok::kw_bool, clang::tok::kw_char,
                        clang::tok::kw_wchar_t, clang::tok::kw_char8_t, clang::tok::kw_char16_t,
                        clang::tok::kw_char32_t, clang::tok::kw_short, clang::tok::kw_int,
                        clang::tok::kw_long, clang::tok::kw_signed, clang::tok::kw_unsigned,
                        clang::tok::kw_float, clang::tok::kw_double, clang::tok::kw_auto,
                        clang::tok::kw__Float16, clang::tok::kw___float128, clang::tok::kw___int128,
                        clang::tok::kw___bf16});
}

} // namespace dovetail
