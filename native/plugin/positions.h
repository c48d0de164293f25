// What an attribute list would belong to, told from the tokens before it.
//
// Clang takes `annotate` on declarations and statements only, `annotate_type` on types only, and a
// wrong one is an error. The parser knows which of the two it reads, but cannot be asked; so we
// follow the tokens far enough to know whether a declaration's type has already been named, and
// what each bracket was opened for.
#pragma once

#include "clang/Lex/Token.h"
#include <vector>

namespace dovetail {

enum class Position {
  Declaration, // or a statement
  Type,
  Neither, // a base class: clang takes no annotation there
};

/// Is told every token outside of attribute lists, in order. Lists themselves change nothing: the
/// next one in a row belongs to the same thing.
class PositionTracker {
public:
  void onToken(const clang::Token &token);
  Position position() const { return now().here; }

private:
  enum class Frame {
    Round,      // parameters, arguments, a parenthesised declarator
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

  /// How far the declaration or expression has come that stands directly inside a bracket.
  struct Progress {
    Position here = Position::Declaration;
    clang::tok::TokenKind last = clang::tok::unknown;
    const clang::IdentifierInfo *lastName = nullptr;
    const clang::IdentifierInfo *className = nullptr; // after its class-key
    bool typeSeen = false;    // what is named next is declared, not its type
    bool isDeclared = false;  // the name that was read last is the one being declared
    bool inClassHead = false; // after a class-key
    bool isEnum = false;      // after `enum`
    bool afterParameters = false;
    bool inTrailingType = false; // after `->`
    bool inAlias = false;        // after `using`
    bool inNamespace = false;    // after `namespace`
    bool inConstraint = false;   // after the `requires` of a clause
    bool inRequirement = false;  // after the `requires` of an expression
  };

  struct Bracket {
    Frame frame = Frame::Block;
    const clang::IdentifierInfo *className = nullptr; // whose body it is
    Progress inside;
  };

  Bracket &top() { return open.back(); }
  Progress &now() { return open.back().inside; }
  const Progress &now() const { return open.back().inside; }

  bool isOtherAttribute(const clang::Token &token);
  void step(const clang::Token &token);
  bool operatorName(const clang::Token &token);
  void endConstraint(const clang::Token &token);
  void keyword(clang::tok::TokenKind kind);
  void requiresKeyword();
  void identifier(const clang::IdentifierInfo *name);
  bool isConstructor(const clang::IdentifierInfo *name) const;
  void punctuation(clang::tok::TokenKind kind);
  void comma();
  void colon();
  void equal();
  void arrow();
  void pushRound();
  void pushSquare();
  void pushAngle();
  void pushBrace();
  Frame braceFrame() const;
  void push(Frame frame);
  void pop();
  void closeAngle();
  void close();
  void dropAngles();
  void restart();

  std::vector<Bracket> open{Bracket()};
  bool inOtherAttribute = false;
  int depth = 0; // of parentheses in it
};

} // namespace dovetail
