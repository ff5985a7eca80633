// Lines of the text form that declare types, streams, strings and facts of a session.
#pragma once

#include <evt/value.h>
#include <evt/writer.h>

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text_form_lexer.h"

namespace evt::tools {

// Declares them to the writer, and finds them by what other lines call them. Refers to the writer while it lives.
class TextDeclarations {
 public:
  struct Type {
    const evt_type* handle = nullptr;
    evt_type undeclared{};
    std::string name;  // of one that is declared
    std::vector<Field> fields;
  };

  explicit TextDeclarations(evt_writer* writer) : writer_(writer) {}
  TextDeclarations(const TextDeclarations&) = delete;
  TextDeclarations& operator=(const TextDeclarations&) = delete;

  static bool knows(std::string_view keyword);
  // The rest of a line behind such a keyword.
  void read(std::string_view keyword, TextFormLexer& line);

  // What comes next in a line; null when it fails there.
  const Type* find_type(TextFormLexer& line);
  evt_stream* find_stream(TextFormLexer& line) const;
  // A text, declared or not, or the number of one.
  std::uint32_t find_string(TextFormLexer& line);

 private:
  void type(TextFormLexer& line);
  void stream(TextFormLexer& line);
  void string(TextFormLexer& line);
  void fact(TextFormLexer& line);

  evt_writer* writer_;
  std::map<std::uint32_t, evt_stream*> streams_;
  std::deque<Type> types_;
  std::unordered_map<std::string, Type*> by_name_;  // null: several types have it
  std::unordered_map<std::uint32_t, Type*> by_number_;
  std::unordered_map<std::string, std::uint32_t> ids_;  // of the strings declared
};

}  // namespace evt::tools
