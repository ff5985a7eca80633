// Colours for what a user looked for.
#pragma once

#include <evt/export/text_buffer.h>

#include <string>
#include <vector>

namespace evt {

// Where one of the texts is in `out` from `start` on, it is put between `color` and `plain`. Upper and lower case of
// ASCII are the same if `ignore_case`.
void highlight(TextBuffer& out, std::size_t start, const std::vector<std::string>& texts, bool ignore_case,
               std::string_view color, std::string_view plain);

}  // namespace evt
