#include "text_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace evt::tools {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == ':' || c == '/' || c == '-';
}

struct Character {
  std::size_t size = 0;  // 0: these bytes are not UTF-8
  std::uint32_t code = 0;
};

// The character at the front, by RFC 3629: no overlong forms, no surrogates.
Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return {1, first};
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return {};
  std::uint32_t code = first & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kSmallest[size] || code > 0x10FFFF || surrogate ? Character{} : Character{size, code};
}

// Shown as it is: no control character of either set, nothing that reorders or hides text.
bool is_harmless(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return false;
  const bool direction = code == 0x61C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                         (code >= 0x2066 && code <= 0x2069);
  const bool line_end = code == 0x2028 || code == 0x2029;
  const bool invisible = code == 0xFEFF || (code >= 0x200B && code <= 0x200D) || (code >= 0xE0000 && code <= 0xE0FFF);
  return !direction && !line_end && !invisible;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

void append_harmless(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const Character character = decode(text);
    const std::size_t size = std::max<std::size_t>(character.size, 1);
    if (character.size > 0 && is_harmless(character.code)) {
      out.append(text.substr(0, size));
    } else {
      for (std::size_t i = 0; i < size; ++i) {
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<std::uint8_t>(text[i]));
      }
    }
    text.remove_prefix(size);
  }
}

void append_quoted(std::string& out, std::string_view text) {
  static constexpr std::string_view kEscaped = "\"\\\n\t";
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t special = std::min(text.find_first_of(kEscaped, at), text.size());
    append_harmless(out, text.substr(at, special - at));
    if (special == text.size()) break;
    const char c = text[special];
    out += '\\';
    out += c == '\n' ? 'n' : c == '\t' ? 't' : c;
    at = special + 1;
  }
  out += '"';
}

bool is_plain_word(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), is_word_character);
}

void append_word(std::string& out, std::string_view text) {
  if (is_plain_word(text)) {
    out += text;
  } else {
    append_quoted(out, text);
  }
}

void append_seconds(std::string& out, std::int64_t ns) {
  auto size = static_cast<std::uint64_t>(ns);
  if (ns < 0) {
    out += '-';
    size = 0 - size;
  }
  char digits[32];
  char* const end = std::to_chars(digits, digits + sizeof digits, size / 1'000'000'000).ptr;
  out.append(digits, end);
  out += '.';
  char fraction[9];
  std::uint64_t rest = size % 1'000'000'000;
  for (int i = 8; i >= 0; --i, rest /= 10) fraction[i] = static_cast<char>('0' + rest % 10);
  out.append(fraction, sizeof fraction);
}

void append_hex(std::string& out, const void* bytes, std::size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  out += "0x";
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint8_t byte = static_cast<const std::uint8_t*>(bytes)[i];
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

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
