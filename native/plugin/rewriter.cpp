#include "rewriter.h"
#include "attribute_table.h"
#include "attributes.h"
#include "positions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include <memory>
#include <optional>

using namespace clang;
using llvm::StringRef;

namespace dovetail {

namespace {

/// C++ implementations accept attribute names with two underscores on either side.
StringRef withoutUnderscores(StringRef Name) {
  if (Name.size() > 4 && Name.starts_with("__") && Name.ends_with("__"))
    return Name.drop_front(2).drop_back(2);
  return Name;
}

/// Returns an identifier or keyword without underscores, and an empty string for other tokens.
StringRef nameOf(const Token &Tok) {
  if (Tok.isAnnotation() || !Tok.getIdentifierInfo())
    return "";
  return withoutUnderscores(Tok.getIdentifierInfo()->getName());
}

/// Changes the tokens of SYCL attributes before the parser receives them.
///
/// The scope comes before the name, which decides whether an attribute is rewritten. C++ allows
/// commas without attributes between them, so `sycl` and `::` are each replaced by a comma; the
/// final scope and colons are inserted together with the name. Tokens are changed in place, so that
/// the parser also reads the new ones when it backtracks.
class AttributeRewriter {
public:
  AttributeRewriter(Preprocessor &PP, AttributeLocations *Locations)
      : PP(PP), Locations(Locations) {}

  void onToken(Token &Tok) {
    if (Current != State::Outside)
      return step(Tok);
    if (!Square) {
      if (Tok.is(tok::l_square))
        Square = Tok;
      else
        handleOutside(Tok);
      return;
    }
    if (Tok.is(tok::l_square)) {
      Square.reset();
      return enterList();
    }
    Tracker.onToken(*Square);
    Square.reset();
    handleOutside(Tok);
  }

private:
  enum class State {
    Outside,       // not in an attribute list
    First,         // at the start of a list: `using` may follow
    Start,         // at the start of an attribute
    UsingScope,    // after `using`
    UsingColon,    // after `using sycl`
    Colons,        // after the scope
    Name,          // after the scope and `::`
    Arguments,     // after the name of a rewritten attribute: `(` may follow
    FirstArgument, // after `(` and the inserted annotation name
    HasParen,      // after `has` as first argument
    HasFirst,      // after `has(`
    HasInside,     // in the arguments of `has`
    HasClosed,     // after the `)` of `has`
    FilterFirst,   // after `{` as first argument, which starts a filter of properties
    FilterInside,  // in the filter
    Dropped,       // after the name of an ignored attribute: `(` may follow
    DroppedInside, // in its arguments
    Inside,        // in the rest of an attribute
    End,           // after the first closing bracket of the list
  };

  void handleOutside(Token &Tok) {
    Tracker.onToken(Tok);
    if (Tok.is(tok::kw___attribute)) {
      InGNUList = true;
      GNUDepth = 0;
    } else if (InGNUList) {
      handleGNUList(Tok);
    }
  }

  /// Handles a token in `__attribute__((...))`, which has names inside two parentheses.
  void handleGNUList(Token &Tok) {
    if (Tok.is(tok::l_paren))
      ++GNUDepth;
    else if (Tok.is(tok::r_paren))
      InGNUList = --GNUDepth > 0;
    else if (GNUDepth == 2 && !nameOf(Tok).empty())
      handleGNUName(Tok);
  }

  void handleGNUName(Token &Tok) {
    StringRef Name = nameOf(Tok);
    AttributeSpelling Spelling = findGNUAttribute(Name);
    if (Spelling.How == Handling::Unsupported)
      reportUnsupported(Tok, Name.str());
    if (Spelling.How != Handling::Checked)
      return;
    IsGNU = true;
    Depth = 0;
    record(Tok, Name.str(), Spelling);
    replace(Tok, {identifier("annotate", Tok)});
    Current = State::Arguments;
  }

  void enterList() {
    UsesScope = UsingIsOpen = IsGNU = false;
    Depth = 0;
    Current = State::First;
  }

  void step(Token &Tok) {
    // No token can be inserted before the end of the file.
    if (Tok.is(tok::eof))
      Current = State::Inside;
    switch (Current) {
    case State::First:
      if (Tok.isNot(tok::kw_using))
        return handleStart(Tok);
      Current = State::UsingScope;
      return;
    case State::Start:
      return handleStart(Tok);
    case State::UsingScope:
      return handleUsingScope(Tok);
    case State::UsingColon:
      UsesScope = UsingIsOpen = Tok.is(tok::colon);
      return UsesScope ? void(Current = State::Start) : handleInside(Tok);
    case State::Colons:
      return handleColons(Tok);
    case State::Name:
      return handleName(Tok);
    case State::Arguments:
      return handleArguments(Tok);
    case State::FirstArgument:
      return handleFirstArgument(Tok);
    case State::HasParen:
      return handleHasParen(Tok);
    case State::HasFirst:
      return handleHasFirst(Tok);
    case State::HasInside:
      return handleHasInside(Tok);
    case State::HasClosed:
      return handleHasClosed(Tok);
    case State::FilterFirst:
      return handleFilterFirst(Tok);
    case State::FilterInside:
      return handleFilterInside(Tok);
    case State::Dropped:
      return handleDropped(Tok);
    case State::DroppedInside:
      return handleDroppedInside(Tok);
    case State::Inside:
      return handleInside(Tok);
    case State::Outside:
    case State::End:
      Current = State::Outside;
      return;
    }
  }

  void handleStart(Token &Tok) {
    if (UsesScope && !nameOf(Tok).empty())
      return handleNameAfterUsing(Tok);
    if (!isSYCLScope(nameOf(Tok)))
      return handleInside(Tok);
    ScopeTok = Tok;
    replace(Tok, {punctuation(tok::comma, Tok)});
    Current = State::Colons;
  }

  void handleUsingScope(Token &Tok) {
    if (!isSYCLScope(nameOf(Tok)))
      return handleInside(Tok);
    ScopeTok = Tok;
    Current = State::UsingColon;
  }

  void handleColons(Token &Tok) {
    Token Given = Tok;
    if (Tok.is(tok::coloncolon)) {
      replace(Tok, {punctuation(tok::comma, Tok)});
      Current = State::Name;
      return;
    }
    replace(Tok, {ScopeTok, Given});
    handleInside(Given);
  }

  void handleName(Token &Tok) {
    if (handleKnown(Tok))
      return;
    Token Given = Tok;
    replace(Tok, {ScopeTok, punctuation(tok::coloncolon, ScopeTok), Given});
    handleInside(Given);
  }

  void handleNameAfterUsing(Token &Tok) {
    bool NeedsScope = !UsingIsOpen;
    if (handleKnown(Tok))
      return;
    NeedsScope ? handleName(Tok) : handleInside(Tok);
  }

  /// Rewrites or removes an attribute from its name on. Returns false if clang has to handle it.
  bool handleKnown(Token &Tok) {
    AttributeSpelling Spelling = findAttribute(nameOf(ScopeTok), nameOf(Tok));
    switch (Spelling.How) {
    case Handling::Unknown:
      return false;
    case Handling::Checked:
      if (Tracker.position() == Position::Neither)
        return false;
      beginAnnotation(Tok, Spelling);
      return true;
    case Handling::Unsupported:
      reportUnsupported(UsesScope ? Tok : ScopeTok, nameWithScope(Tok));
      [[fallthrough]];
    case Handling::Ignored:
      replace(Tok, {punctuation(tok::comma, Tok)});
      Current = State::Dropped;
      return true;
    }
    llvm_unreachable("all kinds of handling are above");
  }

  void handleDropped(Token &Tok) {
    if (Tok.isNot(tok::l_paren))
      return handleInside(Tok);
    Depth = 1;
    replace(Tok, {punctuation(tok::comma, Tok)});
    Current = State::DroppedInside;
  }

  void handleDroppedInside(Token &Tok) {
    if (Tok.is(tok::l_paren))
      ++Depth;
    else if (Tok.is(tok::r_paren) && --Depth == 0)
      Current = State::Inside;
    replace(Tok, {punctuation(tok::comma, Tok)});
  }

  std::string nameWithScope(const Token &Tok) const {
    return (nameOf(ScopeTok) + "::" + nameOf(Tok)).str();
  }

  /// Starts an annotation. `[[using sycl: ...` does not allow another scope, so the list is closed
  /// before its first rewritten attribute and a new one is opened, in which other attributes are
  /// given their scope.
  void beginAnnotation(Token &Tok, const AttributeSpelling &Spelling) {
    // After `using`, several attributes share a scope, so their names locate them.
    const Token At = UsesScope ? Tok : ScopeTok;
    record(At, nameWithScope(Tok), Spelling);
    std::vector<Token> Toks;
    if (UsingIsOpen) {
      UsingIsOpen = false;
      Token Close = punctuation(tok::r_square, Tok), Open = punctuation(tok::l_square, Tok);
      Toks = {Close, Close, Open, Open};
    }
    bool OnType = Tracker.position() == Position::Type;
    Toks.push_back(identifier("clang", At));
    Toks.push_back(punctuation(tok::coloncolon, At));
    Toks.push_back(identifier(OnType ? "annotate_type" : "annotate", Tok));
    replace(Tok, Toks);
    Current = State::Arguments;
  }

  /// Records an attribute that becomes an annotation.
  void record(const Token &At, const std::string &Spelled, const AttributeSpelling &Spelling) {
    Attribute = Spelling.Name.str();
    if (!Locations)
      return;
    Locations->add(At.getLocation(), Spelled);
    if (!Spelling.Replacement.empty())
      reportDeprecated(At, Spelled, Spelling.Replacement);
  }

  /// Reports as DPC++ does, in the same group of warnings.
  void reportDeprecated(const Token &At, const std::string &Spelled, StringRef Replacement) {
    DiagnosticsEngine &Diags = PP.getDiagnostics();
    DiagnosticIDs::CustomDiagDesc Text(diag::Severity::Warning, "attribute '%0' is deprecated",
                                       DiagnosticIDs::CLASS_WARNING, false, false,
                                       diag::Group::DeprecatedAttributes);
    Diags.Report(At.getLocation(), Diags.getDiagnosticIDs()->getCustomDiagID(Text)) << Spelled;
    unsigned Note =
        Diags.getCustomDiagID(DiagnosticsEngine::Note, "did you mean to use '%0' instead?");
    Diags.Report(At.getLocation(), Note) << Replacement;
  }

  void reportUnsupported(const Token &At, const std::string &Spelled) {
    if (!Locations)
      return;
    DiagnosticsEngine &Diags = PP.getDiagnostics();
    unsigned Error = Diags.getCustomDiagID(
        DiagnosticsEngine::Error,
        "'%0' is not supported: explicit SIMD kernels are not implemented; write the kernel for "
        "work-items and use the functions of sycl::sub_group");
    Diags.Report(At.getLocation(), Error) << Spelled;
  }

  void handleArguments(Token &Tok) {
    Token Given = Tok;
    Token Name = string((AnnotationPrefix + Attribute).str(), Tok);
    if (Tok.is(tok::l_paren)) {
      Depth = 1;
      replace(Tok, {Given, Name, punctuation(tok::comma, Tok)});
      Current = State::FirstArgument;
      return;
    }
    replace(Tok, {punctuation(tok::l_paren, Tok), Name, punctuation(tok::r_paren, Tok), Given});
    if (!IsGNU)
      return handleInside(Given);
    Current = State::Outside;
    handleOutside(Given);
  }

  void handleFirstArgument(Token &Tok) {
    Token Given = Tok;
    // `()`: the inserted comma needs an argument after it.
    if (Tok.is(tok::r_paren))
      replace(Tok, {string(NoArgument, Tok), Given});
    // The kinds of sub-group sizes are names that only this attribute knows.
    if (Attribute == NamedSubGroupSize && Tok.is(tok::identifier)) {
      replace(Tok, {string(nameOf(Tok), Tok)});
      return handleInside(Given);
    }
    if (isPropertyList(Attribute) && Tok.is(tok::l_brace)) {
      ++Depth;
      replace(Tok, {string(FilterBegin, Tok), punctuation(tok::comma, Tok)});
      Current = State::FilterFirst;
      return;
    }
    if (!hasAspectArguments(Attribute) || nameOf(Tok) != "has")
      return handleInside(Given);
    Has = Tok;
    replace(Tok, {string(NoArgument, Tok)});
    Current = State::HasParen;
  }

  /// Rewrites `has(A, B)` to its arguments, since no function of that name exists. The other tokens
  /// become placeholders and commas.
  void handleHasParen(Token &Tok) {
    Token Given = Tok, Comma = punctuation(tok::comma, Tok);
    if (Tok.is(tok::l_paren)) {
      ++Depth;
      replace(Tok, {Comma});
      Current = State::HasFirst;
      return;
    }
    replace(Tok, {Comma, Has, Given});
    handleInside(Given);
  }

  void handleHasFirst(Token &Tok) {
    if (Tok.isNot(tok::r_paren))
      return handleHasInside(Tok);
    --Depth;
    replace(Tok, {string(NoArgument, Tok)});
    Current = State::Inside;
  }

  void handleHasInside(Token &Tok) {
    bool Closes = Tok.is(tok::r_paren) && Depth == 2;
    handleInside(Tok);
    if (Closes)
      replace(Tok, {punctuation(tok::comma, Tok)});
    Current = Closes ? State::HasClosed : State::HasInside;
  }

  void handleHasClosed(Token &Tok) {
    Token Given = Tok;
    replace(Tok, {string(NoArgument, Tok), Given});
    handleInside(Given);
  }

  /// Clang cannot evaluate a list in braces, so its elements become arguments between placeholders.
  void handleFilterFirst(Token &Tok) {
    if (Tok.isNot(tok::r_brace))
      return handleFilterInside(Tok);
    --Depth;
    replace(Tok, {string(FilterEnd, Tok)});
    Current = State::Inside;
  }

  void handleFilterInside(Token &Tok) {
    bool Closes = Tok.is(tok::r_brace) && Depth == 2;
    handleInside(Tok);
    if (Closes)
      replace(Tok, {punctuation(tok::comma, Tok), string(FilterEnd, Tok)});
    else if (Current == State::Inside)
      Current = State::FilterInside;
  }

  void handleInside(const Token &Tok) {
    Current = State::Inside;
    if (Tok.isOneOf(tok::l_paren, tok::l_brace, tok::l_square))
      ++Depth;
    else if ((Tok.is(tok::r_square) && Depth == 0) || Tok.is(tok::eof))
      Current = State::End;
    else if (Tok.isOneOf(tok::r_paren, tok::r_brace, tok::r_square)) {
      // The arguments of a GNU attribute are not in a list of square brackets.
      if (--Depth == 0 && IsGNU)
        Current = State::Outside;
    } else if (Tok.is(tok::comma) && Depth == 0)
      Current = State::Start;
  }

  /// Replaces the token that is being delivered, and the copy that the parser backtracks to, by one
  /// or more others. The rewriter does not see the tokens after the first.
  void replace(Token &Tok, llvm::ArrayRef<Token> Toks) {
    bool Cached = PP.IsPreviousCachedToken(Tok);
    Tok = Toks.front();
    if (Cached) {
      Token Copy = Tok;
      Copy.setFlag(Token::IsReinjected);
      PP.ReplacePreviousCachedToken({Copy});
    }
    Toks = Toks.drop_front();
    if (Toks.empty())
      return;
    auto Stream = std::make_unique<Token[]>(Toks.size());
    llvm::copy(Toks, Stream.get());
    PP.EnterTokenStream(std::move(Stream), Toks.size(), /*DisableMacroExpansion=*/true,
                        /*IsReinject=*/true);
  }

  Token newToken(tok::TokenKind Kind, const Token &At) {
    Token Tok;
    Tok.startToken();
    Tok.setKind(Kind);
    Tok.setLocation(At.getLocation());
    return Tok;
  }

  Token punctuation(tok::TokenKind Kind, const Token &At) {
    Token Tok = newToken(Kind, At);
    Tok.setLength(1);
    return Tok;
  }

  Token identifier(StringRef Name, const Token &At) {
    Token Tok = newToken(tok::identifier, At);
    Tok.setLength(At.getLength());
    Tok.setIdentifierInfo(PP.getIdentifierInfo(Name));
    return Tok;
  }

  Token string(StringRef Text, const Token &At) {
    Token Tok = newToken(tok::string_literal, At);
    PP.CreateString(("\"" + Text + "\"").str(), Tok, At.getLocation(), At.getLocation());
    return Tok;
  }

  Preprocessor &PP;
  AttributeLocations *Locations;
  PositionTracker Tracker;
  State Current = State::Outside;
  std::optional<Token> Square; // a `[` that may begin an attribute list
  Token ScopeTok;
  Token Has;
  std::string Attribute;
  bool UsesScope = false;   // in [[using sycl: ...]]
  bool UsingIsOpen = false; // the parser is still in the list with `using`
  bool IsGNU = false;       // the attribute is in `__attribute__((...))`
  bool InGNUList = false;
  int GNUDepth = 0; // of parentheses in that list, outside of rewritten attributes
  int Depth = 0;
};

} // namespace

void AttributeLocations::add(SourceLocation Loc, StringRef Name) {
  Names.try_emplace(Loc, Name);
  // Attributes in system headers, which include the SYCL headers, are correct.
  if (!SM.isInSystemHeader(Loc))
    Unchecked.push_back(Loc);
}

namespace {

/// Watches user files, and system headers that mention SYCL. Other system headers, which are most
/// of the tokens of a source, contain no SYCL attributes.
class FileWatcher : public PPCallbacks {
public:
  FileWatcher(const SourceManager &SM, std::shared_ptr<bool> IsWatched)
      : SM(SM), IsWatched(std::move(IsWatched)) {}

  void FileChanged(SourceLocation Loc, FileChangeReason, SrcMgr::CharacteristicKind Kind,
                   FileID) override {
    *IsWatched = !SrcMgr::isSystem(Kind) || mentionsSYCL(SM.getFileID(Loc));
  }

private:
  bool mentionsSYCL(FileID File) {
    auto [It, Inserted] = Known.try_emplace(File, true);
    if (Inserted)
      if (auto Buffer = SM.getBufferDataOrNone(File))
        It->second = Buffer->contains("sycl") || Buffer->contains("SYCL");
    return It->second;
  }

  const SourceManager &SM;
  std::shared_ptr<bool> IsWatched;
  llvm::DenseMap<FileID, bool> Known;
};

} // namespace

void rewriteAttributes(Preprocessor &PP, AttributeLocations *Locations) {
  auto Rewriter = std::make_shared<AttributeRewriter>(PP, Locations);
  auto IsWatched = std::make_shared<bool>(true);
  PP.addPPCallbacks(std::make_unique<FileWatcher>(PP.getSourceManager(), IsWatched));
  // The watcher receives a reference to the token that the parser is about to read. The interface
  // makes it const, but changing it is the point.
  PP.setTokenWatcher([Rewriter, IsWatched](const Token &Tok) {
    if (*IsWatched)
      Rewriter->onToken(const_cast<Token &>(Tok));
  });
}

} // namespace dovetail
