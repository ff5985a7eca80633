// A field's value as other programs want it: without this project's notation.
#pragma once

#include <evt/trace.h>

#include <string>

namespace evt::tools {

struct Plain {
  std::string text;
  bool is_text = false;  // and no number, truth value or array of such: JSON has it in quotes
};

// Integers as they are (all 64 bits), times in nanoseconds, labels and interned text as text, bytes as 0x..., numbers
// that JSON lacks as text (nan, inf). REQUIRES: no sequence.
Plain plain_scalar(const Event& event, const Value& value);

// A text as JSON has it, in quotes; a character that is not harmless is \uXXXX, a byte that is not UTF-8 becomes
// U+FFFD.
void append_json_text(std::string& out, std::string_view text);
// Any value as JSON.
void append_json_value(std::string& out, const Event& event, const Value& value);

}  // namespace evt::tools
