#include "stats/overview_commands.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace evt::tools {
namespace {

std::string word_of_shell(const std::string& text) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_./+-=:,@").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(text, is_plain)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

void name_trace_in(const std::string& name, std::size_t column, Table* table) {
  for (std::size_t i = 0; i < table->rows().size(); ++i) {
    table->set(i, column, *table->rows()[i][column].text() + " " + name);
  }
}

}  // namespace

bool name_trace_in_commands(const std::string& file, std::vector<SessionFindings>* sessions) {
  const std::string name = file.empty() ? "FILE" : word_of_shell(file);
  bool has_commands = false;
  for (SessionFindings& session : *sessions) {
    for (auto& [kind, findings] : session.by_analysis) {
      for (Table& table : findings.tables) {
        const auto more = table.column("more");
        if (kind != "overview" || !more) continue;
        name_trace_in(name, *more, &table);
        has_commands |= !table.rows().empty();
      }
    }
  }
  return has_commands;
}

}  // namespace evt::tools
