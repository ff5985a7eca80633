#include "sql/statements.h"

#include <algorithm>
#include <cctype>

namespace evt::tools {
namespace {

bool is_in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where what begins at `at` ends: quotes, a comment, a text in $$, or one character. The end of all if it has no end.
std::size_t end_of_piece(std::string_view text, std::size_t at) {
  const auto behind = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == text.npos ? text.size() : found + end.size();
  };
  const char c = text[at];
  // A quote that is doubled ends one text and begins the next.
  if (c == '\'' || c == '"') return behind(text.substr(at, 1), at + 1);
  if (text.substr(at, 2) == "--") return behind("\n", at);
  if (text.substr(at, 2) == "/*") return behind("*/", at + 2);
  if (c == '$' && (at == 0 || !is_in_word(text[at - 1]))) {
    std::size_t end = at + 1;
    while (end < text.size() && is_in_word(text[end])) ++end;
    if (end < text.size() && text[end] == '$') return behind(text.substr(at, end + 1 - at), end + 1);
  }
  return at + 1;
}

// E'it\'s': a backslash takes the character behind it.
std::size_t end_of_escaped(std::string_view text, std::size_t at) {
  for (; at < text.size() && text[at] != '\''; ++at) at += text[at] == '\\' ? 1 : 0;
  return std::min(at + 1, text.size());
}

bool begins_escaped(std::string_view text, std::size_t at) {
  return (text[at] == 'e' || text[at] == 'E') && text.substr(at + 1, 1) == "'" &&
         (at == 0 || !is_in_word(text[at - 1]));
}

struct Piece {
  std::size_t end;
  bool is_blank;  // white space, or a comment
};

Piece piece_at(std::string_view text, std::size_t at) {
  if (begins_escaped(text, at)) return {end_of_escaped(text, at + 2), false};
  const bool is_comment = text.substr(at, 2) == "--" || text.substr(at, 2) == "/*";
  return {end_of_piece(text, at), is_comment || std::isspace(static_cast<unsigned char>(text[at])) != 0};
}

bool is_blank(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Piece piece = piece_at(text, at);
    if (!piece.is_blank) return false;
    at = piece.end;
  }
  return true;
}

}  // namespace

std::optional<std::string> Statements::next() {
  for (std::size_t at = 0; at < text_.size();) {
    if (text_[at] != ';') {
      at = piece_at(text_, at).end;
      continue;
    }
    const std::string statement = text_.substr(0, at);
    text_.erase(0, at + 1);
    if (!is_blank(statement)) return statement;
    at = 0;
  }
  return std::nullopt;
}

std::optional<std::string> Statements::rest() {
  if (is_between()) return std::nullopt;
  std::string statement;
  statement.swap(text_);
  return statement;
}

bool Statements::is_between() const { return is_blank(text_); }

}  // namespace evt::tools
