#include "highlight.h"

#include <algorithm>
#include <utility>

#include "libtrace-read/export/src/base/letter_case.h"

namespace evt {

void highlight(TextBuffer& out, std::size_t start, const std::vector<std::string>& texts, bool ignore_case,
               std::string_view color, std::string_view plain) {
  const std::string line(out.text().substr(start));
  const std::string searched = ignore_case ? in_lower_case(line) : line;
  // The next one: where it is, and how long.
  const auto find_from = [&](std::size_t at) {
    std::pair<std::size_t, std::size_t> first(std::string::npos, 0);
    for (const std::string& text : texts) {
      const std::size_t found =
          text.empty() ? std::string::npos : searched.find(ignore_case ? in_lower_case(text) : text, at);
      if (found < first.first || (found == first.first && text.size() > first.second)) first = {found, text.size()};
    }
    return first;
  };
  std::size_t at = 0;
  auto next = find_from(at);
  if (next.first == std::string::npos) return;
  out.cut(start);
  for (; next.first != std::string::npos; next = find_from(at)) {
    out += std::string_view(line).substr(at, next.first - at);
    out += color;
    out += std::string_view(line).substr(next.first, next.second);
    out += plain;
    at = next.first + next.second;
  }
  out += std::string_view(line).substr(at);
}

}  // namespace evt
