// Names of streams, which several may share.
#pragma once

#include <evt/trace.h>

#include <string>
#include <unordered_set>

namespace evt {

// Refers to the trace.
class StreamNames {
 public:
  void begin(const Trace& trace);
  // True if another stream of its session has its name.
  bool is_shared(const StreamInfo& stream) const { return shared_.contains(&stream); }
  bool any_is_shared() const { return !shared_.empty(); }
  // The name for people, or #id if it has none; NAME#id if others share its name.
  std::string shown(const StreamInfo& stream) const;

 private:
  std::unordered_set<const StreamInfo*> shared_;
};

}  // namespace evt
