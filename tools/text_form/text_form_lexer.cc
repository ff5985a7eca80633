#include "text_form_lexer.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "libtrace-read/text/text_syntax.h"

namespace evt::tools {
namespace {

constexpr std::string_view kSpaces = " \t";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

void TextFormLexer::fail(const std::string& what) { fail_at(place(), what); }

void TextFormLexer::refuse_all(const std::string& what) {
  fail_at(std::min(all_.find_first_not_of(kSpaces), all_.size()), what);
}

std::size_t TextFormLexer::place() {
  skip_spaces();
  return all_.size() - rest_.size();
}

void TextFormLexer::fail_at(std::size_t place, const std::string& what) {
  if (!ok()) return;
  error_ = fmt::format("column {}: {}", place + 1, what);
  rest_ = {};
}

void TextFormLexer::skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpaces), rest_.size())); }

bool TextFormLexer::at_end() {
  skip_spaces();
  return rest_.empty();
}

char TextFormLexer::peek() { return at_end() ? '\0' : rest_.front(); }

bool TextFormLexer::at_digit() { return peek() >= '0' && peek() <= '9'; }

bool TextFormLexer::take(char c) {
  if (peek() != c) return false;
  rest_.remove_prefix(1);
  return true;
}

void TextFormLexer::expect(char c) {
  if (!take(c)) fail(fmt::format("expected '{}'", c));
}

std::string_view TextFormLexer::token(std::string_view also) {
  taken_ = place();
  std::size_t size = 0;
  while (size < rest_.size() && (is_word_character(rest_[size]) || also.find(rest_[size]) != also.npos)) ++size;
  const std::string_view front = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return front;
}

std::string TextFormLexer::word(const char* what) { return peek() == '"' ? quoted(what) : word_with(what, ""); }

std::string TextFormLexer::word_with(const char* what, std::string_view also) {
  skip_spaces();
  if (rest_.empty() || !is_letter(rest_.front())) {
    fail(fmt::format("expected {}", what));
    return {};
  }
  return std::string(token(also));
}

std::string TextFormLexer::quoted(const char* what) {
  const std::size_t start = place();
  if (!take('"')) fail(fmt::format("expected {} in quotes", what));
  std::string text;
  while (!rest_.empty() && rest_.front() != '"') {
    if (rest_.front() == '\\') {
      text += escaped();
    } else {
      text += rest_.front();
      rest_.remove_prefix(1);
    }
  }
  if (ok() && rest_.empty()) fail_at(start, "the text has no closing quote");
  if (ok()) rest_.remove_prefix(1);
  taken_ = start;
  return text;
}

// The character that a backslash and what follows it stand for.
char TextFormLexer::escaped() {
  const char letter = rest_.size() > 1 ? rest_[1] : '\0';
  const int high = letter == 'x' && rest_.size() > 3 ? hex_value(rest_[2]) : -1;
  const int low = high >= 0 ? hex_value(rest_[3]) : -1;
  if (low >= 0) {
    rest_.remove_prefix(4);
    return static_cast<char>(high * 16 + low);
  }
  if (letter != 'n' && letter != 't' && letter != '"' && letter != '\\') {
    fail_at(all_.size() - rest_.size(), "expected one of \\\\ \\\" \\n \\t \\xHH");
    return '\0';
  }
  rest_.remove_prefix(2);
  return letter == 'n' ? '\n' : letter == 't' ? '\t' : letter;
}

std::uint64_t TextFormLexer::number(const char* what, std::uint64_t most) {
  const std::string_view digits = token("");
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value > most) {
    refuse(what != nullptr ? fmt::format("expected {}, a number up to {}", what, most)
                           : fmt::format("expected a number up to {}", most));
    return 0;
  }
  return value;
}

std::int64_t TextFormLexer::signed_number(std::int64_t least, std::int64_t most) {
  const std::string_view digits = token("");
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool good = error == std::errc() && end == digits.data() + digits.size() && value >= least && value <= most;
  if (!good) refuse(fmt::format("expected a number from {} to {}", least, most));
  return good ? value : 0;
}

std::int64_t TextFormLexer::seconds(const char* what) {
  constexpr std::uint64_t kNsInSecond = 1'000'000'000;
  std::string_view digits = token("");
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  std::uint64_t whole = 0;
  const char* const last = digits.data() + digits.size();
  const auto [point, error] = std::from_chars(digits.data(), last, whole);
  std::uint64_t fraction = 0;
  std::size_t places = 0;
  bool good = error != std::errc::invalid_argument && (point == last || *point == '.');
  for (const char* p = point; good && p != last && ++p != last; ++places) {
    good = *p >= '0' && *p <= '9' && places < 9;
    if (good) fraction = fraction * 10 + static_cast<std::uint64_t>(*p - '0');
  }
  if (!good || (point != last && places == 0)) {
    refuse(fmt::format("expected {}, seconds with up to nine digits after the point", what));
    return 0;
  }
  for (; places < 9; ++places) fraction *= 10;
  // As many nanoseconds as 64 bits hold, one more before 0 than after it.
  const std::uint64_t most = std::uint64_t{INT64_MAX} + (negative ? 1 : 0);
  if (error != std::errc() || whole > most / kNsInSecond || whole * kNsInSecond + fraction > most) {
    refuse(fmt::format("expected {}, at most {}.{:09} seconds", what, most / kNsInSecond, most % kNsInSecond));
    return 0;
  }
  const std::uint64_t ns = whole * kNsInSecond + fraction;
  return static_cast<std::int64_t>(negative ? 0 - ns : ns);
}

void TextFormLexer::skip_value(std::size_t place, const std::string& name) {
  std::size_t depth = 0;
  do {
    if (take('[')) {
      ++depth;
    } else if (depth > 0 && take(']')) {
      --depth;
    } else {
      skip_one_value();
    }
  } while (ok() && depth > 0);
  if (ok()) skipped_.push_back(fmt::format("column {}: {} is not known here: skipped", place + 1, name));
}

void TextFormLexer::skip_one_value() {
  if (peek() == '"') {
    quoted("a value");
  } else if (token("+=#|").empty()) {
    fail("expected a value");
  }
}

std::string TextFormLexer::hex(const char* what) {
  const std::string_view digits = token("");
  std::string bytes;
  bool good = digits.starts_with("0x") && digits.size() % 2 == 0;
  for (std::size_t i = 2; good && i < digits.size(); i += 2) {
    const int high = hex_value(digits[i]);
    const int low = hex_value(digits[i + 1]);
    good = high >= 0 && low >= 0;
    bytes += static_cast<char>(high * 16 + low);
  }
  if (!good) refuse(fmt::format("expected {}: 0x and pairs of hexadecimal digits", what));
  return bytes;
}

}  // namespace evt::tools
