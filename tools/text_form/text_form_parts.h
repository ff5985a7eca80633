// What the readers of lines of the text form share.
#pragma once

#include <evt/block_writer.h>
#include <fmt/core.h>

#include <cstdint>
#include <string>

#include "text_form_lexer.h"

namespace evt::tools {

// A trace made from text has the clock of one made from another: nanoseconds, and its start.
inline constexpr std::uint64_t kStartTicks = BlockWriter::kStartTicks;

// C strings end at a NUL, so a name that holds one cannot be handed on.
inline void refuse_nul(TextFormLexer& line, const std::string& text) {
  if (text.find('\0') != text.npos) line.refuse("a NUL cannot stand here");
}

// The value of a pair that is there or is not.
inline void expect_true(TextFormLexer& line) {
  if (line.word("true") != "true") line.refuse("expected true");
}

// ` name=` before a value, in any order, as many as there are. take(name) is false for what a later version may know.
template <typename Take>
void pairs(TextFormLexer& line, Take take) {
  while (line.ok() && !line.at_end() && line.peek() != '(' && line.peek() != ')' && line.peek() != ']' &&
         line.peek() != '"') {
    const std::size_t start = line.place();
    const std::string name = line.word("a name");
    line.expect('=');
    if (line.ok() && !take(name)) line.skip_value(start, name);
  }
}

}  // namespace evt::tools
