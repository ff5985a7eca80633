// A field's value for other programs: without this project's notation.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <optional>
#include <string_view>

namespace evt {

// Appends integers unchanged (all 64 bits), times in nanoseconds, labels and interned text as text, bytes as 0x...,
// numbers that JSON lacks as text (nan, inf). Text, except numbers and truth values, is not appended but returned, for
// the caller to quote; it may lie in `made`. REQUIRES: not a sequence.
std::optional<std::string_view> append_unless_text(TextBuffer& out, const Event& event, const Value& value,
                                                   TextBuffer& made);

// A text in JSON's notation, in quotes; a character that is not harmless is \uXXXX, a byte that is not UTF-8 becomes
// U+FFFD.
void append_json_text(TextBuffer& out, std::string_view text);
// Any value as JSON; `made` as above.
void append_json_value(TextBuffer& out, const Event& event, const Value& value, TextBuffer& made);

}  // namespace evt
