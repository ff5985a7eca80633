#include "utf8_text.h"

#include <algorithm>

#include "libtrace-read/text/utf8.h"

namespace evt {

std::string_view as_utf8(std::string_view text, std::string* made) {
  std::size_t at = 0;
  made->clear();
  bool is_good = true;
  while (at < text.size()) {
    const std::size_t size = first_character(text.substr(at)).size;
    made->append(size > 0 ? text.substr(at, size) : std::string_view("\xEF\xBF\xBD"));
    is_good &= size > 0;
    at += std::max<std::size_t>(size, 1);
  }
  return is_good ? text : *made;
}

}  // namespace evt
