// What a trace has of each stream, to be compared with what it has later.
#pragma once

#include <evt/format.h>
#include <evt/trace.h>

#include <array>
#include <map>
#include <string>
#include <utility>

namespace evt::tools {

class Holdings {
 public:
  // Reads all events of the trace.
  explicit Holdings(Trace& trace);

  // Where `later` has not the same, as a part of a sentence; empty when it has.
  std::string difference(const Holdings& later) const;

 private:
  struct Held {
    std::uint64_t events = 0;  // that could be read
    std::uint64_t rows = 0;    // by the headers of blocks
    std::uint64_t missing = 0;
    std::array<std::uint64_t, EVT_LOST_CAUSES> lost{};  // by cause; 0: causes that this version does not know

    bool operator==(const Held&) const = default;
    std::string text() const;
  };
  using Stream = std::pair<std::size_t, std::uint32_t>;  // a session of the trace, and an id in it; 0: all of it

  std::map<Stream, Held> streams_;
};

}  // namespace evt::tools
