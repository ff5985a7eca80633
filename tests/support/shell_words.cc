#include "support/shell_words.h"

namespace evt::testing {
namespace {

constexpr std::string_view kSyntax = "|&;<>()$`\\*?[]{}~#!\n";
constexpr std::string_view kSyntaxInDoubleQuotes = "$`\\";

bool has_any(std::string_view text, std::string_view of) { return text.find_first_of(of) != std::string_view::npos; }

}  // namespace

std::optional<std::vector<std::string>> shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == ' ' || c == '\t') {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'' || c == '"') {
      const std::size_t end = line.find(c, at + 1);
      if (end == std::string_view::npos) return std::nullopt;
      const std::string_view quoted = line.substr(at + 1, end - at - 1);
      if (c == '"' && has_any(quoted, kSyntaxInDoubleQuotes)) return std::nullopt;
      words.back() += quoted;
      at = end;
    } else if (has_any({&c, 1}, kSyntax)) {
      return std::nullopt;
    } else {
      words.back() += c;
    }
  }
  return words;
}

}  // namespace evt::testing
