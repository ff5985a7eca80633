// What a trace says of itself, for people: its sessions, types and streams as tables.
#pragma once

#include <evt/trace.h>

#include <string>

#include "text_buffer.h"

namespace evt::tools {

void append_header(TextBuffer& out, const Trace& trace);
void append_types(TextBuffer& out, const Trace& trace);
void append_streams(TextBuffer& out, const Trace& trace);

// A name as people see it: quoted if it is empty, holds anything but plain characters, or looks like what the reader
// says in its own words: !lost, type#5, #1.
std::string shown(const std::string& name);
// 01234567-89ab-cdef-0123-456789abcdef
std::string uuid_text(const Session::Uuid& uuid);
// How the time of a session came onto the scale of the one that it was merged into, and how right that is.
std::string alignment_text(const MergedPart& part);
// 2026-11-21 22:48:09.123456789 UTC
std::string utc_text(std::int64_t utc_ns);

}  // namespace evt::tools
