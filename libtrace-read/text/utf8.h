// Properties of UTF-8 characters, and their width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace evt {

struct Character {
  std::size_t size = 0;  // 0: these bytes are not UTF-8
  std::uint32_t code = 0;
};

// The character at the start of a text that is not empty, by RFC 3629: no overlong forms, no surrogates.
Character first_character(std::string_view text);

// Takes the character from the start, or one byte that is not UTF-8.
std::string_view take_character(std::string_view* text);
// Takes printable ASCII except quotes and backslashes: text that all notations keep unchanged.
std::string_view take_plain(std::string_view* text);

// True if it may be shown unchanged: not a control character of either set, and nothing that reorders or hides text or
// is invisible itself.
bool is_harmless(std::uint32_t code);

// Number of terminal columns that the text takes.
std::size_t columns_of(std::string_view text);

// The first `most` bytes, or up to three fewer, so that no character is split.
std::string_view whole_characters(std::string_view text, std::size_t most);

}  // namespace evt
