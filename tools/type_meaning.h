// What types and fields mean beyond names and kinds, for the tables and the JSON of evt dump --types.
#pragma once

#include <evt/export/text_buffer.h>
#include <evt/trace.h>

#include <string>
#include <string_view>

namespace evt::tools {

// `(scope=boot,flags)`: what a field states of its values; empty if nothing.
std::string field_meaning_text(const Field& field);
// `also threadRun(next=thread); twin of app.run; file.c:12 in f; tagged com.example.x`; empty if nothing.
std::string type_meaning_text(const EventType& type);
// A line of JSON for each type of each session. `file`: as of append_header_as_json().
void append_types_as_json(TextBuffer& out, const Trace& trace, std::string_view file);

}  // namespace evt::tools
