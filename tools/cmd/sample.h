// A few of many events.
#pragma once

#include <evt/trace.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace evt::tools {

// Of each stream and type one of every N events, or one in each period of time. Refers to the sessions of its events.
class Sample {
 public:
  // 100, or 10ms; nothing for a text that is neither.
  static std::optional<Sample> parse(const std::string& text);

  // Of how many events it takes one; 0: by time, which is another number each time.
  std::uint64_t one_in() const { return count_; }

  // Whether it has this event: the next of its stream and type, in their order.
  bool takes(const Session& session, const StreamInfo& stream, const EventType& type, std::int64_t ns);

 private:
  struct Seen {
    std::uint64_t events = 0;
    std::int64_t part = 0;
  };
  std::uint64_t count_ = 0;
  std::int64_t ns_ = 0;
  std::map<std::tuple<const Session*, std::uint32_t, std::uint32_t>, Seen> seen_;
};

}  // namespace evt::tools
