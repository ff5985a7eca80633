#include "text_syntax.h"

#include <fmt/format.h>

#include <algorithm>

#include "format_number.h"
#include "utf8.h"

namespace evt {
namespace {

void append_harmless_character(TextBuffer& out, std::string_view text) {
  const Character character = first_character(text);
  if (character.size > 0 && is_harmless(character.code)) {
    out += text;
    return;
  }
  for (const char c : text) fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<std::uint8_t>(c));
}

}  // namespace

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_word_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == ':' || c == '/' || c == '-';
}

void append_harmless(TextBuffer& out, std::string_view text) {
  while (!text.empty()) {
    out += take_plain(&text);
    if (!text.empty()) append_harmless_character(out, take_character(&text));
  }
}

void append_quoted(TextBuffer& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    out += take_plain(&text);
    if (text.empty()) break;
    const std::string_view character = take_character(&text);
    const char c = character.front();
    if (c == '"' || c == '\\' || c == '\n' || c == '\t') {
      out += '\\';
      out += c == '\n' ? 'n' : c == '\t' ? 't' : c;
    } else {
      append_harmless_character(out, character);
    }
  }
  out += '"';
}

std::string in_quotes(std::string_view text) {
  return text_from([&](TextBuffer& out) { append_quoted(out, text); });
}

bool is_plain_word(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), is_word_character);
}

void append_word(TextBuffer& out, std::string_view text) {
  if (is_plain_word(text)) {
    out += text;
  } else {
    append_quoted(out, text);
  }
}

void append_padded(TextBuffer& out, std::string_view text, std::size_t width) {
  const std::size_t columns = columns_of(text);
  out += text;
  if (columns < width) out.append(width - columns, ' ');
}

void append_seconds(TextBuffer& out, std::int64_t ns, std::size_t width, bool plus) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  const std::uint64_t whole = size / kSecond;
  const std::size_t columns = (ns < 0 || plus ? 1 : 0) + count_digits(whole) + 10;
  if (columns < width) out.append(width - columns, ' ');
  char* to = out.room(kNumberRoom + kFractionRoom);
  if (ns < 0 || plus) *to++ = ns < 0 ? '-' : '+';
  out.end_at(write_fraction(write_number(to, whole), static_cast<std::uint32_t>(size % kSecond)));
}

void append_hex(TextBuffer& out, const void* bytes, std::size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  char* to = out.room(size * 2 + 2);
  *to++ = '0';
  *to++ = 'x';
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint8_t byte = static_cast<const std::uint8_t*>(bytes)[i];
    *to++ = kDigits[byte >> 4];
    *to++ = kDigits[byte & 15];
  }
  out.end_at(to);
}

}  // namespace evt
