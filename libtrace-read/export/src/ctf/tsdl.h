// Words of CTF's metadata, the Trace Stream Description Language (CTF 1.8.3, section 7).
#pragma once

#include <evt/text/text_buffer.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace evt {

// In quotes. Anything but printable ASCII becomes \ and three octal digits; a byte 0, which would end the text, becomes
// four characters, \x00.
void append_tsdl_text(TextBuffer& out, std::string_view text);

// Unique identifiers of the members of one structure.
class TsdlNames {
 public:
  // The name after a `_`, as LTTng does, so that it is never a keyword; readers leave that out. Characters that
  // identifiers cannot have become `_`, and a number follows a name that is taken.
  std::string identifier(std::string_view name);
  // For anything but a field of the trace: unchanged, or followed by a number if it is taken.
  std::string unused(const std::string& identifier);
  // Number of names that differ for a reader.
  std::uint64_t changed() const { return changed_; }

 private:
  std::set<std::string, std::less<>> taken_;
  std::uint64_t changed_ = 0;
};

}  // namespace evt
