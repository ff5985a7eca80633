// The words of the text form (format-spec/TEXT.md). Also keeps text of an untrusted trace from a terminal.
#pragma once

#include <evt/text/text_buffer.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace evt {

// Appends `text` with control characters, bytes that are not UTF-8 and characters that change the direction of text or
// cannot be seen as \xHH: one line that has no effect on a terminal.
void append_harmless(TextBuffer& out, std::string_view text);
// Like append_harmless(), in quotes, so that it can be read back exactly.
void append_quoted(TextBuffer& out, std::string_view text);
std::string in_quotes(std::string_view text);
// Unchanged if it is a plain word (a letter or _, then letters, digits and _ . : / -), else in quotes.
void append_word(TextBuffer& out, std::string_view text);
bool is_plain_word(std::string_view text);
bool is_letter(char c);          // begins a plain word
bool is_word_character(char c);  // continues a plain word

// The text unchanged, and spaces up to `width` columns.
void append_padded(TextBuffer& out, std::string_view text, std::size_t width);

// Seconds with nine digits, after spaces up to `width` columns.
void append_seconds(TextBuffer& out, std::int64_t ns, std::size_t width = 0, bool plus = false);
void append_hex(TextBuffer& out, const void* bytes, std::size_t size);  // 0x...

}  // namespace evt
