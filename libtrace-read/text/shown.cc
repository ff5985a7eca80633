#include "shown.h"

#include <fmt/format.h>

#include "text_syntax.h"
#include "time_text.h"

namespace evt {

std::string uuid_text(const Session::Uuid& uuid) {
  std::string text;
  for (std::size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    fmt::format_to(std::back_inserter(text), "{:02x}", uuid[i]);
  }
  return text;
}

std::string shown(const std::string& name) {
  const std::string safe = in_quotes(name);
  const bool escaped = safe.size() != name.size() + 2;
  const bool ours = name.starts_with('!') || name.starts_with('#') || name.starts_with("type#");
  return escaped || ours || name.empty() ? safe : name;
}

// The words of a truncated session's status.
std::string shown_program(const Session& session) {
  return session.program.empty() ? "an unknown program" : shown(session.program);
}

std::string format_text(const Session& session) { return fmt::format("{}.{}", session.major, session.minor); }

std::string utc_text(std::int64_t utc_ns) {
  return text_from([&](TextBuffer& out) { TimeText(TimeText::Style::kUtc).append(out, utc_ns); });
}

std::string shown_stream(const StreamInfo& stream) {
  return stream.name.empty() ? fmt::format("#{}", stream.id) : shown(stream.name);
}

std::string shown_type(const Event& event) {
  const bool ours = event.is_lost() || event.is_jump() || !event.type().declared();
  return ours ? event.type().name() : shown(event.type().name());
}

std::size_t session_index(const Trace& trace, const Session& session) {
  std::size_t index = 0;
  while (&trace.sessions()[index] != &session) ++index;
  return index;
}

std::size_t session_index(const Trace& trace, const Event& event) { return session_index(trace, event.session()); }

}  // namespace evt
