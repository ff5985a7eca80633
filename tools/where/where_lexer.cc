#include "where_lexer.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <utility>

namespace evt::tools {
namespace {

constexpr std::string_view kSpaces = " \t\n\r";
constexpr std::string_view kOperatorBytes = "=!<>~";

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool is_word_byte(char c) {
  constexpr std::string_view kOthers = " \"'()=!<>~&|";
  return !is_control(c) && kOthers.find(c) == kOthers.npos;
}

std::size_t word_size(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_word_byte) - text.begin());
}

std::optional<WhereToken::Kind> keyword(std::string_view word) {
  if (word == "and") return WhereToken::Kind::kAnd;
  if (word == "or") return WhereToken::Kind::kOr;
  if (word == "not") return WhereToken::Kind::kNot;
  return std::nullopt;
}

// What `escape` means, which begins with a backslash; how many bytes it has, 0 when it is none.
std::size_t unescape(std::string_view escape, std::string* out) {
  constexpr std::pair<char, char> kEscapes[] = {{'\\', '\\'}, {'"', '"'},  {'\'', '\''},
                                                {'n', '\n'},  {'t', '\t'}, {'r', '\r'}};
  if (escape.size() < 2) return 0;
  for (const auto& [name, meaning] : kEscapes) {
    if (escape[1] != name) continue;
    *out += meaning;
    return 2;
  }
  unsigned byte = 0;
  const char* const digits = escape.data() + 2;
  if (escape[1] != 'x' || escape.size() < 4) return 0;
  if (std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) return 0;
  *out += static_cast<char>(byte);
  return 4;
}

}  // namespace

bool is_where_word(std::string_view text) { return !text.empty() && word_size(text) == text.size() && !keyword(text); }

void WhereLexer::take(std::size_t size) {
  // A character begins with a byte that continues none.
  column_ +=
      static_cast<std::size_t>(std::count_if(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(size),
                                             [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  rest_.remove_prefix(size);
}

WhereToken WhereLexer::made(WhereToken::Kind kind, std::size_t size) {
  WhereToken token;
  token.kind = kind;
  token.found = rest_.substr(0, size);
  token.column = column_;
  take(size);
  return token;
}

// At this distance in bytes from here. Nothing behind it has a meaning.
WhereToken WhereLexer::wrong(std::size_t at, std::string sentence) {
  take(at);
  WhereToken token = made(WhereToken::Kind::kWrong, 0);
  token.text = std::move(sentence);
  return token;
}

WhereToken WhereLexer::next() {
  take(std::min(rest_.find_first_not_of(kSpaces), rest_.size()));
  if (rest_.empty()) return made(WhereToken::Kind::kEnd, 0);
  const char c = rest_.front();
  if (c == '(') return made(WhereToken::Kind::kOpen, 1);
  if (c == ')') return made(WhereToken::Kind::kClose, 1);
  if (c == '"' || c == '\'') return quoted();
  if (kOperatorBytes.find(c) != kOperatorBytes.npos) return operators();
  if (c == '&' || c == '|') {
    if (rest_.starts_with("&&")) return made(WhereToken::Kind::kAnd, 2);
    if (rest_.starts_with("||")) return made(WhereToken::Kind::kOr, 2);
    return wrong(0, c == '&' ? "found &; did you mean and?" : "found |; did you mean or?");
  }
  const std::size_t size = word_size(rest_);
  if (size == 0) return wrong(0, "found a control character, which is written \\xHH, in quotes");
  const std::string_view word = rest_.substr(0, size);
  if (const auto kind = keyword(word)) return made(*kind, size);
  WhereToken token = made(WhereToken::Kind::kWord, size);
  token.text = word;
  return token;
}

WhereToken WhereLexer::quoted() {
  const char quote = rest_.front();
  std::string text;
  for (std::size_t at = 1; at < rest_.size();) {
    const char c = rest_[at];
    if (c == quote) {
      WhereToken token = made(WhereToken::Kind::kQuoted, at + 1);
      token.text = std::move(text);
      return token;
    }
    if (c == '\\') {
      const std::size_t size = unescape(rest_.substr(at), &text);
      if (size == 0) return wrong(at, "expected \\\\ \\\" \\' \\n \\t \\r or \\xHH");
      at += size;
    } else {
      text += c;
      ++at;
    }
  }
  return wrong(0, std::string("found ") + quote + " without one that closes it");
}

WhereToken WhereLexer::operators() {
  constexpr std::pair<std::string_view, WhereOperator> kOperators[] = {
      {"=", WhereOperator::kEqual},           {"==", WhereOperator::kEqual},
      {"!=", WhereOperator::kNotEqual},       {"<", WhereOperator::kLess},
      {"<=", WhereOperator::kLessOrEqual},    {">", WhereOperator::kGreater},
      {">=", WhereOperator::kGreaterOrEqual}, {"~", WhereOperator::kMatches},
      {"!~", WhereOperator::kMatchesNot}};
  // As they are in other languages, or in haste.
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"===", "="}, {"!==", "!="}, {"<>", "!="}, {"=!", "!="}, {"=<", "<="},
      {"=>", ">="}, {"=~", "~"},   {"~=", "~"},  {"==~", "~"}, {"~!", "!~"}};
  const std::string_view run = rest_.substr(0, rest_.find_first_not_of(kOperatorBytes));
  for (const auto& [text, op] : kOperators) {
    if (run != text) continue;
    WhereToken token = made(WhereToken::Kind::kOperator, text.size());
    token.op = op;
    return token;
  }
  // Of what follows, it may be the first.
  if (run.front() == '!' && !run.starts_with("!=") && !run.starts_with("!~")) return made(WhereToken::Kind::kNot, 1);
  std::string sentence = "there is no operator " + std::string(run);
  for (const auto& [text, meant] : kOthers) {
    if (run == text) sentence += "; did you mean " + std::string(meant) + "?";
  }
  return wrong(0, sentence);
}

std::string_view where_operator_text(WhereOperator op) {
  // In the order of the enumeration.
  static constexpr std::string_view kTexts[] = {"=", "!=", "<", "<=", ">", ">=", "~", "!~"};
  return kTexts[static_cast<std::size_t>(op)];
}

bool is_where_order(WhereOperator op) { return op >= WhereOperator::kLess && op <= WhereOperator::kGreaterOrEqual; }

bool is_where_pattern(WhereOperator op) { return op >= WhereOperator::kMatches; }

}  // namespace evt::tools
