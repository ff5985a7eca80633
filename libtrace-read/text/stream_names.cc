#include "stream_names.h"

#include <fmt/core.h>

#include <string_view>
#include <unordered_map>

#include "shown.h"

namespace evt {

void StreamNames::begin(const Trace& trace) {
  shared_.clear();
  for (const Session& session : trace.sessions()) {
    std::unordered_map<std::string_view, const StreamInfo*> first;
    for (const StreamInfo& stream : session.streams) {
      if (stream.name.empty()) continue;
      const auto [known, is_new] = first.try_emplace(stream.name, &stream);
      if (is_new) continue;
      shared_.insert(known->second);
      shared_.insert(&stream);
    }
  }
}

std::string StreamNames::shown(const StreamInfo& stream) const {
  const std::string name = shown_stream(stream);
  return is_shared(stream) ? fmt::format("{}#{}", name, stream.id) : name;
}

}  // namespace evt
