#include "event_lines.h"

#include <fmt/core.h>

#include "trace_tables.h"

namespace evt::tools {

std::string shown_stream(const StreamInfo& stream) {
  return stream.name.empty() ? fmt::format("#{}", stream.id) : shown(stream.name);
}

std::string shown_type(const Event& event) {
  const bool ours = event.is_lost() || event.is_jump() || !event.type().declared();
  return ours ? event.type().name() : shown(event.type().name());
}

std::size_t session_index(const Trace& trace, const Event& event) {
  std::size_t index = 0;
  while (&trace.sessions()[index] != &event.session()) ++index;
  return index;
}

}  // namespace evt::tools
