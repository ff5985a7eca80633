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

// Times of day, of which many in a row are in the same second.
class UtcTime {
 public:
  enum class Style : std::uint8_t {
    kPeople,  // 2026-11-21 22:48:09.123456789 UTC
    kIso,     // 2026-11-21T22:48:09.123456789Z
  };
  explicit UtcTime(Style style) : style_(style) {}
  void append(TextBuffer& out, std::int64_t utc_ns);

 private:
  void go_to(std::int64_t second);

  Style style_;
  std::int64_t second_ = INT64_MAX;  // of which the text is
  Phrase text_;
};

// As UtcTime::Style::kPeople.
std::string utc_text(std::int64_t utc_ns);

}  // namespace evt::tools
