#include "tsdl_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace evt::ctf {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Token TsdlLexer::next() {
  Token token;
  if (!skip_space()) return bad("a comment without its end");
  token.line = line_;
  if (at_ == text_.size()) return token;
  const std::size_t begin = at_;
  const char c = text_[at_];
  if ((c == '"' || c == '\'') || (c == 'L' && at_ + 1 < text_.size() && text_[at_ + 1] == '"')) {
    if (c == 'L') ++at_;
    if (!take_text(&token.string)) return bad("a text without its end");
    token.kind = c == '\'' ? Token::kNumber : Token::kText;
    if (c == '\'') token.number = token.string.empty() ? 0 : static_cast<unsigned char>(token.string[0]);
  } else if (is_digit(c)) {
    token.kind = Token::kNumber;
    if (!take_number(&token.number)) return bad("a number that is none, or that has more than 64 bits");
  } else if (is_letter(c)) {
    token.kind = Token::kName;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
  } else {
    token.kind = Token::kMark;
    const std::string_view rest = text_.substr(at_);
    at_ += rest.starts_with("...") ? 3U : rest.starts_with(":=") ? 2U : 1U;
  }
  token.text = text_.substr(begin, at_ - begin);
  return token;
}

Token TsdlLexer::bad(std::string_view why) {
  Token token;
  token.kind = Token::kBad;
  token.text = why;
  token.line = line_;
  at_ = text_.size();
  return token;
}

// Skips comments, too; false inside one at the end.
bool TsdlLexer::skip_space() {
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (rest[0] == '\n') {
      ++line_;
      ++at_;
    } else if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\f' || rest[0] == '\v' ||
               rest[0] == '\0') {
      ++at_;
    } else if (rest.starts_with("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      for (std::size_t i = at_; i < std::min(end, text_.size()); ++i) line_ += text_[i] == '\n' ? 1U : 0U;
      if (end == std::string_view::npos) return false;
      at_ = end + 2;
    } else {
      break;
    }
  }
  return true;
}

bool TsdlLexer::take_text(std::string* out) {
  const char quote = text_[at_++];
  while (at_ < text_.size() && text_[at_] != quote) {
    if (text_[at_] == '\n') return false;
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
      ++at_;
      take_escape(out);
    } else {
      *out += text_[at_++];
    }
  }
  return at_ < text_.size() && text_[at_++] == quote;
}

void TsdlLexer::take_escape(std::string* out) {
  const char c = text_[at_];
  const int base = c == 'x' ? 16 : 8;
  if (c == 'x') ++at_;
  unsigned value = 0;
  const std::size_t most = std::min(text_.size() - at_, std::size_t{c == 'x' ? 2U : 3U});
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + at_ + most, value, base);
  if (error == std::errc()) {
    *out += static_cast<char>(value);
    at_ = static_cast<std::size_t>(end - text_.data());
    return;
  }
  if (c == 'x') return;
  constexpr std::string_view kFrom = "abfnrtv";
  constexpr std::string_view kTo = "\a\b\f\n\r\t\v";
  const std::size_t known = kFrom.find(c);
  *out += known == std::string_view::npos ? c : kTo[known];
  ++at_;
}

bool TsdlLexer::take_number(std::uint64_t* number) {
  int base = 10;
  const std::string_view rest = text_.substr(at_);
  if (rest.starts_with("0x") || rest.starts_with("0X")) {
    base = 16;
    at_ += 2;
  } else if (rest.starts_with("0b") || rest.starts_with("0B")) {
    base = 2;
    at_ += 2;
  } else if (rest.size() > 1 && rest[0] == '0' && is_digit(rest[1])) {
    base = 8;
  }
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), *number, base);
  at_ = static_cast<std::size_t>(end - text_.data());
  while (at_ < text_.size() && std::string_view("uUlL").find(text_[at_]) != std::string_view::npos) ++at_;
  return error == std::errc() && (at_ == text_.size() || (!is_letter(text_[at_]) && !is_digit(text_[at_])));
}

void TsdlWords::advance() { token_ = lexer_.next(); }

void TsdlWords::fail_at(std::size_t line, const std::string& why) {
  if (error_.empty()) error_ = fmt::format("line {}: {}", line, why);
}

void TsdlWords::fail(std::string_view wanted) {
  const std::string found = token_.kind == Token::kEnd   ? "its end"
                            : token_.kind == Token::kBad ? std::string(token_.text)
                                                         : fmt::format("\"{}\"", token_.text.substr(0, 40));
  fail_at(token_.line, fmt::format("{} is expected, and {} is there", wanted, found));
}

bool TsdlWords::is(std::string_view text) const {
  return (token_.kind == Token::kMark || token_.kind == Token::kName) && token_.text == text;
}

bool TsdlWords::accept(std::string_view text) {
  if (!is(text)) return false;
  advance();
  return true;
}

bool TsdlWords::expect(std::string_view text) {
  if (accept(text)) return true;
  fail(fmt::format("\"{}\"", text));
  return false;
}

std::string TsdlWords::take_name() {
  if (token_.kind != Token::kName) {
    fail("a name");
    return "";
  }
  std::string name(token_.text);
  advance();
  return name;
}

std::string TsdlWords::take_path() {
  std::string path = take_name();
  while (error_.empty() && accept(".")) path += "." + take_name();
  return path;
}

TsdlValue TsdlWords::take_value() {
  TsdlValue value;
  value.line = token_.line;
  while (is("-") || is("+")) {
    value.is_negative ^= is("-");
    advance();
  }
  if (token_.kind == Token::kNumber) {
    value.is_number = true;
    value.number = token_.number;
    advance();
  } else if (token_.kind == Token::kText) {
    value.text = token_.string;
    advance();
  } else {
    value.text = take_path();
  }
  return value;
}

std::vector<std::pair<std::string, TsdlValue>> TsdlWords::take_values() {
  std::vector<std::pair<std::string, TsdlValue>> values;
  expect("{");
  while (error_.empty() && !accept("}")) {
    std::string name = take_path();
    expect("=");
    values.emplace_back(std::move(name), take_value());
    expect(";");
  }
  return values;
}

std::optional<ByteOrder> TsdlWords::order_of(const TsdlValue& value) {
  if (value.text == "le") return ByteOrder::kLittle;
  if (value.text == "be" || value.text == "network") return ByteOrder::kBig;
  fail_at(value.line, fmt::format("a byte order is le, be, network or native, and not \"{}\"", value.text));
  return std::nullopt;
}

}  // namespace evt::ctf
