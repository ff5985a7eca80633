#include "tsdl.h"

#include <fmt/format.h>

#include <iterator>

namespace evt {
namespace {

bool is_of_identifiers(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

void append_tsdl_text(TextBuffer& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte == 0) {
      out += "\\\\x00";
    } else if (byte < 0x20 || byte > 0x7E) {
      fmt::format_to(std::back_inserter(out), "\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string TsdlNames::identifier(std::string_view name) {
  std::string plain = "_";
  for (const char c : name) plain += is_of_identifiers(c) ? c : '_';
  if (name.empty()) plain += '_';
  std::string found = unused(plain);
  changed_ += std::string_view(found).substr(1) != name ? 1 : 0;
  return found;
}

std::string TsdlNames::unused(const std::string& identifier) {
  std::string found = identifier;
  for (int i = 2; !taken_.insert(found).second; ++i) found = fmt::format("{}_{}", identifier, i);
  return found;
}

}  // namespace evt
