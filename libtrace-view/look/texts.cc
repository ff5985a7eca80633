#include "texts.h"

#include <evt/text/text_buffer.h>
#include <fmt/core.h>

#include <cmath>
#include <iterator>

#include "libtrace-read/text/text_syntax.h"

namespace evt::view {

std::string harmless(std::string_view text) {
  return text_from([&](TextBuffer& out) { append_harmless(out, text); });
}

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char c : harmless(text)) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  // Two characters that UTF-8 has and XML has not.
  for (const std::string_view last : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (std::size_t at = 0; (at = escaped.find(last, at)) != escaped.npos;) escaped.replace(at, 3, "\xEF\xBF\xBD");
  }
  return escaped;
}

std::string short_number(double value, const std::string& unit) {
  constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t thousands = 0;
  while (std::abs(value) >= 999.5 && thousands + 1 < std::size(kPrefixes)) {
    value /= 1000;
    ++thousands;
  }
  return fmt::format("{:.3g}{}{}{}", value, unit.empty() ? "" : " ", kPrefixes[thousands], unit);
}

std::string seconds(long long ns) {
  std::string text = text_from([&](TextBuffer& out) { append_seconds(out, ns); });
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::size_t next_character(std::string_view text, std::size_t at) {
  do {
    ++at;
  } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
  return at;
}

}  // namespace evt::view
