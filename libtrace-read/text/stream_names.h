// Names of streams, of which several may have one.
#pragma once

#include <evt/trace.h>

#include <string>
#include <unordered_set>

namespace evt {

// Refers to the trace.
class StreamNames {
 public:
  void begin(const Trace& trace);
  // Another stream of its session has its name.
  bool is_shared(const StreamInfo& stream) const { return shared_.contains(&stream); }
  bool any_is_shared() const { return !shared_.empty(); }
  // As people see it: the name, or #id where it has none; NAME#id where others have its name.
  std::string shown(const StreamInfo& stream) const;

 private:
  std::unordered_set<const StreamInfo*> shared_;
};

}  // namespace evt
