#include "text_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "characters.h"

namespace evt::tools {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_word_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == ':' || c == '/' || c == '-';
}

void append_harmless(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
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

void append_padded(std::string& out, std::string_view text, std::size_t width) {
  const std::size_t columns = columns_of(text);
  out += text;
  if (columns < width) out.append(width - columns, ' ');
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

}  // namespace evt::tools
