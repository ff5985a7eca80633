// Texts of a trace, which may be hostile, and numbers as rows show them.
#pragma once

#include <string>
#include <string_view>

namespace evt::view {

// One line that does nothing to a terminal or a reader: control characters, bytes that are not UTF-8 and characters
// that change the direction of text are \xHH.
std::string harmless(std::string_view text);

// The same as a text of XML, or an attribute's value in double quotes.
std::string xml_text(std::string_view text);

// 1.23M, 0.005, -40; with a unit 1.23 MB
std::string short_number(double value, const std::string& unit = "");

// Seconds with nine digits, without zeros at the end.
std::string seconds(long long ns);

// Where the character behind this place begins. REQUIRES: UTF-8.
std::size_t next_character(std::string_view text, std::size_t at);

}  // namespace evt::view
