// Determines from the preceding tokens what an attribute list appertains to.
//
// Clang accepts `annotate` on declarations and statements only, and `annotate_type` on types only.
// The parser offers no way to find out which of the two it is reading. So the tracker follows the
// tokens far enough to know whether a declaration's type has been named already, and which
// construct opened each bracket.
#pragma once

#include "clang/Lex/Token.h"
#include <vector>

namespace dovetail {

enum class Position {
  Declaration, // or a statement
  Type,
  Neither, // a base class: clang accepts no annotation there
};

/// Whether a keyword names a fundamental type, or is `auto`.
bool isTypeKeyword(clang::tok::TokenKind Kind);

/// Receives all tokens outside of attribute lists, in order. Consecutive lists appertain to the
/// same entity, so lists do not change the state.
class PositionTracker {
public:
  void onToken(const clang::Token &Tok);
  Position position() const { return current().Here; }

private:
  enum class Frame {
    Round,      // parameters, arguments, a parenthesized declarator
    Condition,  // of if, for, ...: a statement follows
    Operand,    // of a requires clause
    TypeName,   // of decltype
    Name,       // of operator() and operator[]
    Square,     // array bound or subscript
    Introducer, // of a lambda or a structured binding
    Angle,      // template arguments, or a comparison
    Header,     // template parameters
    Class,
    Enum,
    Initializer,
    Requirement, // the body of a requires expression
    Block,
  };

  /// The state of the declaration or expression directly inside a bracket.
  struct Progress {
    Position Here = Position::Declaration;
    clang::tok::TokenKind Last = clang::tok::unknown;
    const clang::IdentifierInfo *LastName = nullptr;
    const clang::IdentifierInfo *ClassName = nullptr; // after its class-key
    bool TypeSeen = false;    // the next name is the declared one, not a type
    bool IsDeclared = false;  // the last name is the declared one
    bool InClassHead = false; // after a class-key
    bool IsEnum = false;      // after `enum`
    bool AfterParameters = false;
    bool InTrailingType = false; // after `->`
    bool InAlias = false;        // after `using`
    bool InNamespace = false;    // after `namespace`
    bool InConstraint = false;   // after the `requires` of a clause
    bool InRequirement = false;  // after the `requires` of an expression
  };

  struct Bracket {
    Frame Kind = Frame::Block;
    const clang::IdentifierInfo *ClassName = nullptr; // of the class with this body
    Progress Inside;
  };

  Bracket &top() { return Open.back(); }
  Progress &current() { return Open.back().Inside; }
  const Progress &current() const { return Open.back().Inside; }

  bool isOtherAttribute(const clang::Token &Tok);
  void step(const clang::Token &Tok);
  bool operatorName(const clang::Token &Tok);
  void endConstraint(const clang::Token &Tok);
  void keyword(clang::tok::TokenKind Kind);
  void requiresKeyword();
  void identifier(const clang::IdentifierInfo *Name);
  bool isConstructor(const clang::IdentifierInfo *Name) const;
  void punctuation(clang::tok::TokenKind Kind);
  void comma();
  void colon();
  void equal();
  void arrow();
  void pushRound();
  void pushSquare();
  void pushAngle();
  void pushBrace();
  Frame braceFrame() const;
  void push(Frame F);
  void pop();
  void closeAngle();
  void close();
  void dropAngles();
  void restart();

  std::vector<Bracket> Open{Bracket()};
  bool InOtherAttribute = false;
  int Depth = 0; // of parentheses in the other attribute
};

} // namespace dovetail
