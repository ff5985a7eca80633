#include "json_safe.h"

#include <algorithm>

namespace evt::tools {
namespace {

constexpr std::string_view kMaxExact = "9007199254740992";  // 2^53

// Not a fraction, and no power of ten.
bool is_large_whole(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  if (number.find_first_of(".eE") != number.npos) return false;
  return number.size() > kMaxExact.size() || (number.size() == kMaxExact.size() && number > kMaxExact);
}

// Behind the text that begins at `at`.
std::size_t end_of_text(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at + 1;
}

}  // namespace

void append_json_safe(TextBuffer& out, std::string_view json) {
  std::size_t copied = 0;
  for (std::size_t at = json.find_first_of("\"-0123456789"); at < json.size();
       at = json.find_first_of("\"-0123456789", at)) {
    if (json[at] == '"') {
      at = end_of_text(json, at);
      continue;
    }
    const std::size_t end = std::min(json.find_first_not_of("+-.0123456789eE", at), json.size());
    const std::string_view number = json.substr(at, end - at);
    if (is_large_whole(number)) {
      out += json.substr(copied, at - copied);
      out += '"';
      out += number;
      out += '"';
      copied = end;
    }
    at = end;
  }
  out += json.substr(copied);
}

}  // namespace evt::tools
