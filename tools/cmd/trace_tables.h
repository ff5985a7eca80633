// What a trace declares, for people: its sessions, types and streams as tables.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include "base/aligned_rows.h"

namespace evt::tools {

void append_header(TextBuffer& out, const Trace& trace);
void append_types(TextBuffer& out, const Trace& trace, const TableLook& look = {});
void append_streams(TextBuffer& out, const Trace& trace, const TableLook& look = {});

}  // namespace evt::tools
