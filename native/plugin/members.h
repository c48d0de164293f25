// Properties of members: every access of such a member says what they are.
#pragma once

namespace clang {
class ASTContext;
class TagDecl;
} // namespace clang

namespace dovetail {

/// Has code generation write the properties of a class's members, which is complete, at each of
/// their accesses, as one annotation `sycl-properties:foo,bar=32`. It does so for fields that are
/// annotated. Where nobody reads the annotations, which keep objects in memory, there are none.
void annotateMembers(clang::TagDecl &tag, clang::ASTContext &context);

} // namespace dovetail
