// Repairs text of programs that is almost JSON.
#pragma once

#include <string>
#include <string_view>

namespace evt::chrome {

// Numbers that are not finite become texts of the same word, control characters in texts become escapes, a backslash
// that escapes nothing becomes two, and half a surrogate pair becomes U+FFFD. Returns false if nothing needs this.
bool mend_json(std::string_view text, std::string* mended);

}  // namespace evt::chrome
