#include "stack_frame.h"

#include <algorithm>

#include "text_syntax.h"

namespace evt {

void append_stack_frame(TextBuffer& out, std::string_view name) {
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t separator = std::min(name.find(';', at), name.size());
    append_harmless(out, name.substr(at, separator - at));
    if (separator < name.size()) out += "\\x3b";
    at = separator + 1;
  }
}

}  // namespace evt
