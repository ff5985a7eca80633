// Words of CTF's metadata, the Trace Stream Description Language (CTF 1.8.3, section 7).
#pragma once

#include <evt/text/text_buffer.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace evt {

// In quotes. What is not printable ASCII is \ and three octal digits; a byte 0, which would end the text, is four
// characters, \x00.
void append_tsdl_text(TextBuffer& out, std::string_view text);

// Identifiers of the members of one structure, no two of which are the same.
class TsdlNames {
 public:
  // `_` in front of the name, as LTTng has it, so that none is a keyword; readers leave that out. What identifiers do
  // not have is `_`, and a number is behind a name that is taken.
  std::string identifier(std::string_view name);
  // Of what is no field of the trace: as it is, or with a number behind it if it is taken.
  std::string unused(const std::string& identifier);
  // How many names are others for a reader.
  std::uint64_t changed() const { return changed_; }

 private:
  std::set<std::string, std::less<>> taken_;
  std::uint64_t changed_ = 0;
};

}  // namespace evt
