// Converts what a session that was read states of its origin into what an encoder takes. Templates, so that a writer
// needs no reader: the types are those of <evt/session.h>.
#pragma once

#include <evt/cpp20.h>
#include <evt/describe.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace evt {

// Describes a merged session. Refers to its name.
template <typename MergedPart>
evt_merged_part described_part(const MergedPart& part) {
  evt_merged_part message = {};
  std::copy(part.origin.begin(), part.origin.end(), message.origin);
  message.name = part.name.c_str();
  message.first_stream = part.first_stream;
  message.stream_count = part.stream_count;
  message.alignment = part.alignment;
  message.ended = part.ended ? 1 : 0;
  message.offset_ns = part.offset_ns;
  message.drift_ps = part.drift_ps;
  message.pivot_ns = part.pivot_ns;
  message.bound_ns = part.bound_ns;
  return message;
}

// Describes what was left out of a session.
class DescribedLeftOut {
 public:
  template <typename LeftOut>
  explicit DescribedLeftOut(const LeftOut& from) {
    for (const std::string& name : from.streams) streams_.push_back(name.c_str());
    for (const std::string& name : from.types) types_.push_back(name.c_str());
    message_.has_range = from.has_range ? 1 : 0;
    message_.from_ns = from.from_ns;
    message_.to_ns = from.to_ns;
    message_.streams = streams_.data();
    message_.stream_count = count_of(streams_, from.stream_count);
    message_.types = types_.data();
    message_.type_count = count_of(types_, from.type_count);
    message_.one_in = from.one_in;
    message_.sampled_by = from.sampled_by;
    message_.others = from.others ? 1 : 0;
  }
  DescribedLeftOut(const DescribedLeftOut&) = delete;
  DescribedLeftOut& operator=(const DescribedLeftOut&) = delete;
  // Refers to this object and to its source.
  const evt_left_out* message() const { return &message_; }

 private:
  // A message has all names, or as many as it can hold.
  static std::uint32_t count_of(const std::vector<const char*>& names, std::uint32_t count) {
    const auto named = static_cast<std::uint32_t>(names.size());
    return named < EVT_MAX_ORIGINS ? named : std::max(named, count);
  }

  std::vector<const char*> streams_;
  std::vector<const char*> types_;
  evt_left_out message_ = {};
};

}  // namespace evt
