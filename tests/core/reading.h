// What the reader makes of a trace, as text that a test can compare in full.
#pragma once

#include <algorithm>

#include "raw_trace.h"

namespace evt::testing {

// All of them, one behind the other.
inline std::string lines(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const std::string_view part : parts) all += part;
  return all;
}

// The lines of a canonical text that are events.
inline std::string event_lines(std::string_view text) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if ((text[at] >= '0' && text[at] <= '9') || text[at] == '-') lines += text.substr(at, end - at);
    at = end;
  }
  return lines;
}

inline std::string events_of(std::string_view bytes, const ReadOptions& options = {}) {
  Trace trace = open_trace(bytes, options);
  return event_lines(text_of(trace));
}

// `ok`, or the code in a word, such as `damaged`.
inline std::string code_of(const Status& status) {
  static constexpr const char* kWords[] = {"ok",           "invalid",   "io",      "memory", "not a trace",
                                           "newer format", "truncated", "damaged", "schema", "closed"};
  return kWords[static_cast<std::size_t>(status.code())];
}

// Which checksum it was does not matter to a test.
inline std::string without_checksums(std::string reason) {
  const std::string_view one = "payload checksum is ";
  const std::string_view other = "XXXXXXXX, expected ";
  if (!reason.starts_with(one)) return reason;
  return reason.replace(one.size(), 8, "XXXXXXXX").replace(one.size() + other.size(), 8, "XXXXXXXX");
}

// Events, then what is wrong: `status`, each damage by its place, what is missing, not decodable, not understood, cut.
inline std::string reading_of(const RawTrace& raw, const ReadOptions& options = {}) {
  const std::string bytes = raw.bytes();
  auto opened = Trace::from_memory(as_bytes(bytes), options);
  if (!opened) return code_of(opened.status()) + ": " + opened.status().message() + "\n";
  Trace& trace = *opened;
  std::string text = event_lines(text_of(trace));
  if (!trace.status().ok()) text += "status " + code_of(trace.status()) + "\n";
  for (const Damage& damage : trace.damage()) {
    text += "damage " + raw.place(damage.offset);
    if (damage.length > 0) text += ".." + raw.place(damage.offset + damage.length);
    text += ": " + without_checksums(damage.reason) + "\n";
  }
  const auto count = [&text](const char* what, std::uint64_t n, const std::string& of = "") {
    if (n > 0) text += lines({what, " ", std::to_string(n), of, "\n"});
  };
  for (const Session& session : trace.sessions()) {
    for (const StreamInfo& stream : session.streams) {
      count("missing", stream.missing, " of stream " + std::to_string(stream.id));
    }
    std::uint64_t of_nobody = session.missing;
    for (const StreamInfo& stream : session.streams) of_nobody -= std::min(of_nobody, stream.missing);
    count("missing", of_nobody, " of some stream");
    count("not decodable", session.not_decodable);
    count("not understood", session.not_understood);
    if (!session.declared) text += "not declared\n";
    if (!session.closed) text += "truncated\n";
  }
  return text;
}

}  // namespace evt::testing
