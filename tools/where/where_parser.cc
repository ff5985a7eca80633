#include "where_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "libtrace-read/text/enum_names.h"
#include "libtrace-read/text/near_names.h"
#include "where_lexer.h"

namespace evt::tools {
namespace {

using Token = WhereToken::Kind;

// Parentheses and negations within each other: no user writes more, and the stack has an end.
constexpr int kMaxNested = 256;

class Parser {
 public:
  Parser(std::string_view text, WhereSubjects subjects) : text_(text), subjects_(subjects), lexer_(text) { advance(); }

  WhereParsed parse() {
    WhereParsed parsed;
    WhereExpression expression;
    if (condition(&expression) && at_end()) {
      parsed.expression = std::move(expression);
    } else {
      parsed.error = std::move(error_);
    }
    return parsed;
  }

 private:
  // Each of these takes what it is named after from the front; false, with the error, when that is not there.
  bool condition(WhereExpression* out) {
    return joined(Token::kOr, WhereExpression::Kind::kOr, out, [this](WhereExpression* part) {
      return joined(Token::kAnd, WhereExpression::Kind::kAnd, part,
                    [this](WhereExpression* operand) { return negated(operand); });
    });
  }

  // What take() takes, several of them between such connectives, or one.
  template <typename Take>
  bool joined(Token between, WhereExpression::Kind kind, WhereExpression* out, Take take) {
    WhereExpression first;
    if (!take(&first)) return false;
    if (token_.kind != between) {
      *out = std::move(first);
      return true;
    }
    out->kind = kind;
    out->parts.push_back(std::move(first));
    while (token_.kind == between) {
      advance();
      if (!take(&out->parts.emplace_back())) return false;
    }
    return true;
  }

  bool negated(WhereExpression* out) {
    if (token_.kind != Token::kNot && token_.kind != Token::kOpen) return comparison(out);
    if (nested_ == kMaxNested) return fail(fmt::format("more than {} parentheses and negations are open", kMaxNested));
    ++nested_;
    const bool is_not = token_.kind == Token::kNot;
    advance();
    if (is_not) out->kind = WhereExpression::Kind::kNot;
    const bool taken = is_not ? negated(&out->parts.emplace_back()) : condition(out) && closed();
    --nested_;
    return taken;
  }

  bool closed() {
    if (token_.kind != Token::kClose) return fail(expected("and, or or )"));
    advance();
    return true;
  }

  bool comparison(WhereExpression* out) {
    WhereComparison& made = out->comparison;
    made.subject_column = token_.column;
    const bool taken = subjects_ == WhereSubjects::kEvents ? subject(&made.subject) : measure(&made.subject);
    if (!taken) return false;
    if (token_.kind != Token::kOperator) return fail(expected("one of = != < <= > >= ~ !~"));
    made.op = token_.op;
    const std::string_view sign = token_.found;
    advance();
    if (token_.kind != Token::kWord && token_.kind != Token::kQuoted) {
      const bool is_keyword = token_.kind == Token::kAnd || token_.kind == Token::kOr || token_.kind == Token::kNot;
      return fail(expected(fmt::format("a value after {}", sign)) +
                  (is_keyword ? ", which is a value only in quotes" : ""));
    }
    made.value_column = token_.column;
    made.value_end = static_cast<std::size_t>(token_.found.data() - text_.data()) + token_.found.size();
    made.value = std::move(token_.text);
    advance();
    return true;
  }

  bool subject(WhereSubject* out) {
    if (token_.kind == Token::kQuoted) {
      out->kind = WhereSubject::Kind::kField;
      out->name = std::move(token_.text);
    } else if (token_.kind != Token::kWord) {
      return fail(expected("a comparison such as depth>10"));
    } else if (token_.text.starts_with('@')) {
      const auto property = where_property_of(std::string_view(token_.text).substr(1));
      if (!property) return fail("no event has " + token_.text + meant(token_.text, where_properties()));
      out->kind = WhereSubject::Kind::kProperty;
      out->property = *property;
    } else if (token_.text.starts_with("role:")) {
      const std::string name = token_.text.substr(5);
      const auto role = parse_role(name);
      if (!role || *role == Role::kNone) return fail("there is no role " + name + did_you_mean(name, role_names()));
      out->kind = WhereSubject::Kind::kRole;
      out->role = *role;
    } else {
      out->name = std::move(token_.text);
    }
    advance();
    return true;
  }

  bool measure(WhereSubject* out) {
    if (token_.kind != Token::kWord) return fail(expected("what is measured, such as lost or max(span:sum)"));
    out->kind = WhereSubject::Kind::kMeasure;
    out->name = std::move(token_.text);
    advance();
    if (token_.kind != Token::kOpen) return true;
    advance();
    return measured(out) && closes_measure();
  }

  // The colon is the end of a word, or within one: span:sum, span:"a b".
  bool measured(WhereSubject* out) {
    if (token_.kind != Token::kWord) return fail(expected("a table, such as span:sum"));
    const std::size_t colon = std::min(token_.text.find(':'), token_.text.size());
    out->of = token_.text.substr(0, colon);
    if (out->of.empty()) return fail(expected("a table before the colon"));
    std::string rest = token_.text.substr(std::min(colon + 1, token_.text.size()));
    const bool has_row = colon < token_.text.size();
    advance();
    if (!has_row) return true;
    if (rest.empty()) {
      if (token_.kind != Token::kWord && token_.kind != Token::kQuoted) return fail(expected("a name after the colon"));
      rest = std::move(token_.text);
      advance();
    }
    out->row = std::move(rest);
    return true;
  }

  bool closes_measure() {
    if (token_.kind != Token::kClose) return fail(expected(")"));
    advance();
    return true;
  }

  static std::string meant(const std::string& name, const std::vector<std::string>& known) {
    const std::string near = did_you_mean(name, known);
    return near.empty() ? fmt::format("; expected one of {}", fmt::join(known, " ")) : near;
  }

  bool at_end() {
    if (token_.kind == Token::kEnd) return true;
    if (token_.kind == Token::kClose) return fail("found ) without a ( in front");
    std::string sentence = expected("and, or or the end");
    if (token_.kind == Token::kOperator) sentence += "; a value that has it needs quotes";
    if (token_.kind == Token::kWord) sentence += did_you_mean(token_.text, {"and", "or"});
    return fail(std::move(sentence));
  }

  std::string expected(std::string_view what) const {
    return fmt::format("expected {}, found {}", what, token_.kind == Token::kEnd ? "the end" : token_.found);
  }

  // At the word at hand. What no word could be made of is wrong for that reason alone.
  bool fail(std::string sentence) {
    error_.column = token_.column;
    error_.sentence = token_.kind == Token::kWrong ? token_.text : std::move(sentence);
    return false;
  }

  void advance() { token_ = lexer_.next(); }

  std::string_view text_;
  WhereSubjects subjects_;
  WhereLexer lexer_;
  WhereToken token_;
  WhereError error_;
  int nested_ = 0;
};

}  // namespace

WhereParsed parse_where(std::string_view text, WhereSubjects subjects) { return Parser(text, subjects).parse(); }

std::string where_help() {
  return R"(Conditions: --where takes comparisons, joined by and, or, not and parentheses
(and binds more tightly than or):
  depth>3 and (function=sum or not role:amount<4K)
The left side is a field or a property of the event:
  depth         a field by its name; "depth" in quotes is always a field
  role:amount   a field by its role
  @time @stream @thread @type @size @ordinal    also without @, if no event has such a field
  duration      of the span or call that the event begins, ends or records
Then one of = != < <= > >= ~ !~ and a value, quoted if it contains a space or one of ( ) = ! < > ~ & |
  numbers       10 -5 0x1f 1.5 2e3; K M G T are powers of 1000, Ki Mi Gi Ti of 1024
  times         1.5 (seconds) 200ms 3us 5m 2h; for @time as for --from
  strings       sum or "sum", compared byte by byte; ~ matches a pattern: 'main*' (labels too)
  labels        of an enumeration, or their numbers; true and false
  names         for @stream and @type, = and ~ take patterns; #3 is a stream by its id
A comparison is false for an event without the field, even !=. For a sequence, one matching element is enough.)";
}

}  // namespace evt::tools
