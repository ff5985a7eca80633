#include "cmd/sample.h"

#include "base/time_spec.h"

namespace evt::tools {

std::optional<Sample> Sample::parse(const std::string& text) {
  Sample sample;
  const bool is_count = !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == text.npos;
  if (is_count) sample.count_ = std::stoull(text);
  const auto length = is_count ? std::nullopt : parse_length(text);
  if (length) sample.ns_ = *length;
  return sample.count_ > 0 || sample.ns_ > 0 ? std::optional(sample) : std::nullopt;
}

bool Sample::takes(const Session& session, const StreamInfo& stream, const EventType& type, std::int64_t ns) {
  Seen& seen = seen_[{&session, stream.id, type.number()}];
  if (ns_ == 0) return seen.events++ % count_ == 0;
  const std::int64_t part = ns / ns_ - (ns % ns_ < 0 ? 1 : 0);
  if (seen.events++ > 0 && part == seen.part) return false;
  seen.part = part;
  return true;
}

}  // namespace evt::tools
