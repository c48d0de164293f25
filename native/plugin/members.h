// Properties of members, which annotate each access of the member.
#pragma once

namespace clang {
class ASTContext;
class TagDecl;
} // namespace clang

namespace dovetail {

/// Converts the property lists of a complete class's members to annotations such as
/// `sycl-properties:foo,bar=32`, which clang emits at each access. For targets where no tool reads
/// annotations, which prevent optimizations, the property lists are only removed.
void annotateMembers(clang::TagDecl &TD, clang::ASTContext &Ctx);

} // namespace dovetail
