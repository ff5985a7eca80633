// What a trace states of its sessions, types and streams, for programs. docs/JSON.md has the members.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <cstddef>
#include <string_view>

namespace evt::tools {

class JsonObject;

// Where a line is from: the file, unless it is empty, and the session, of a trace that has several.
void add_place(JsonObject& json, const Trace& trace, std::size_t session, std::string_view file);

// A line of JSON for each session, and for each type and each stream of each session, which begin with their place.
void append_header_as_json(TextBuffer& out, const Trace& trace, std::string_view file);
void append_types_as_json(TextBuffer& out, const Trace& trace, std::string_view file);
void append_streams_as_json(TextBuffer& out, const Trace& trace, std::string_view file);

void add_fact(JsonObject& json, const Fact& fact);

}  // namespace evt::tools
