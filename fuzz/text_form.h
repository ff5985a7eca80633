// Traces from and to their text form.
#pragma once

#include <evt/trace.h>

#include <string>
#include <string_view>

#include "libtrace-read/export/src/text/text_form_writer.h"
#include "tools/text_form/text_form_reader.h"

namespace fuzz {

inline evt::Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// The trace that a text makes; empty, and why, when it makes none.
inline std::string trace_of(std::string_view text, evt::Status* status) {
  std::string bytes;
  const auto take = [](void* to, const void* from, std::size_t size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(from), size);
    return 0;
  };
  evt::tools::TextFormReader reader(take, &bytes);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (!reader.add(text.substr(at, end - at))) break;
    at = end + 1;
  }
  *status = reader.finish();
  return status->ok() ? bytes : std::string();
}

inline std::string text_of(evt::Trace& trace) {
  evt::TextFormWriter writer(trace);
  evt::Events events = trace.events({.markers = true, .ends = true, .by_ns = true});
  evt::TextBuffer text;
  while (const evt::Event* event = events.next()) writer.append(text, *event);
  writer.append_end(text);
  return std::string(text.text());
}

}  // namespace fuzz
