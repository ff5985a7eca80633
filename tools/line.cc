#include "line.h"

#include <fmt/format.h>

#include <charconv>

#include "text_syntax.h"

namespace evt::tools {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

void Line::fail(const std::string& what) {
  if (!ok()) return;
  error_ = fmt::format("column {}: {}", all_.size() - rest_.size() + 1, what);
  rest_ = {};
}

void Line::skip_spaces() {
  while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
}

bool Line::at_end() {
  skip_spaces();
  return rest_.empty();
}

char Line::peek() { return at_end() ? '\0' : rest_.front(); }

bool Line::take(char c) {
  if (peek() != c) return false;
  rest_.remove_prefix(1);
  return true;
}

void Line::expect(char c) {
  if (!take(c)) fail(fmt::format("expected '{}'", c));
}

std::string_view Line::token(std::string_view also) {
  skip_spaces();
  std::size_t size = 0;
  while (size < rest_.size() && (is_word_character(rest_[size]) || also.find(rest_[size]) != also.npos)) ++size;
  const std::string_view front = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return front;
}

std::string Line::word(const char* what) { return peek() == '"' ? quoted(what) : word_with(what, ""); }

std::string Line::word_with(const char* what, std::string_view also) {
  skip_spaces();
  if (rest_.empty() || !is_letter(rest_.front())) {
    fail(fmt::format("expected {}", what));
    return {};
  }
  return std::string(token(also));
}

std::string Line::quoted(const char* what) {
  if (!take('"')) fail(fmt::format("expected {} in quotes", what));
  std::string text;
  while (!rest_.empty() && rest_.front() != '"') {
    char c = rest_.front();
    rest_.remove_prefix(1);
    if (c == '\\' && !rest_.empty()) {
      const char escape = rest_.front();
      rest_.remove_prefix(1);
      const int high = escape == 'x' && rest_.size() >= 2 ? hex_value(rest_[0]) : -1;
      const int low = high >= 0 ? hex_value(rest_[1]) : -1;
      if (low >= 0) {
        c = static_cast<char>(high * 16 + low);
        rest_.remove_prefix(2);
      } else if (escape == 'n' || escape == 't') {
        c = escape == 'n' ? '\n' : '\t';
      } else if (escape == '"' || escape == '\\') {
        c = escape;
      } else {
        fail("expected one of \\\\ \\\" \\n \\t \\xHH");
      }
    }
    text += c;
  }
  if (ok() && rest_.empty()) fail("the text has no closing quote");
  if (ok()) rest_.remove_prefix(1);
  return text;
}

std::uint64_t Line::number(const char* what, std::uint64_t most) {
  const std::string_view digits = token("");
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value > most) {
    fail(fmt::format("expected {}, a number up to {}", what, most));
    return 0;
  }
  return value;
}

std::int64_t Line::signed_number(const char* what) {
  const std::string_view digits = token("");
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    fail(fmt::format("expected {}, a number", what));
    return 0;
  }
  return value;
}

std::int64_t Line::seconds(const char* what) {
  std::string_view digits = token("");
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  std::uint64_t whole = 0;
  const char* const last = digits.data() + digits.size();
  const auto [point, error] = std::from_chars(digits.data(), last, whole);
  std::uint64_t fraction = 0;
  std::size_t places = 0;
  bool good = error == std::errc() && whole < 4'000'000'000 && (point == last || *point == '.');
  for (const char* p = point; good && p != last && ++p != last; ++places) {
    good = *p >= '0' && *p <= '9' && places < 9;
    if (good) fraction = fraction * 10 + static_cast<std::uint64_t>(*p - '0');
  }
  if (!good || (point != last && places == 0)) {
    fail(fmt::format("expected {}, seconds with up to nine digits behind the point", what));
    return 0;
  }
  for (; places < 9; ++places) fraction *= 10;
  const auto ns = static_cast<std::int64_t>(whole * 1'000'000'000 + fraction);
  return negative ? -ns : ns;
}

std::string Line::hex(const char* what) {
  const std::string_view digits = token("");
  std::string bytes;
  bool good = digits.starts_with("0x") && digits.size() % 2 == 0;
  for (std::size_t i = 2; good && i < digits.size(); i += 2) {
    const int high = hex_value(digits[i]);
    const int low = hex_value(digits[i + 1]);
    good = high >= 0 && low >= 0;
    bytes += static_cast<char>(high * 16 + low);
  }
  if (!good) fail(fmt::format("expected {}: 0x and pairs of hexadecimal digits", what));
  return bytes;
}

}  // namespace evt::tools
