// What a trace declares, for people: its sessions, types and streams as tables.
#pragma once

#include <evt/export/text_buffer.h>
#include <evt/trace.h>

#include <string>

#include "table_look.h"

namespace evt::tools {

void append_header(TextBuffer& out, const Trace& trace);
void append_types(TextBuffer& out, const Trace& trace, const TableLook& look = {});
void append_streams(TextBuffer& out, const Trace& trace, const TableLook& look = {});

// What was left out where events were sampled. REQUIRES: it was sampled.
std::string sampling_text(const LeftOut& left_out);

// How the time of a session came onto the scale of the one that it was merged into, and how right that is.
std::string alignment_text(const MergedPart& part);

}  // namespace evt::tools
