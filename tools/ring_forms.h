// Rings as evt list shows them.
#pragma once

#include <evt/export/text_buffer.h>
#include <evt/rings.h>

#include <string>
#include <vector>

#include "table_look.h"

namespace evt::tools {

// Its session as it is in the ring's name: 0123456789abcdef; - if it is not known.
std::string session_text(const RingInfo& ring);

// A table.
void append_rings(TextBuffer& out, const std::vector<RingInfo>& rings, const TableLook& look);
// A line for each that was removed.
void append_removed(TextBuffer& out, const std::vector<RingInfo>& rings);
// An object for each, in a line.
void append_rings_as_json(TextBuffer& out, const std::vector<RingInfo>& rings);

}  // namespace evt::tools
