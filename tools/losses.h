// Events that were lost when they were to be recorded: by stream, and by cause where LOST rows tell it.
#pragma once

#include <evt/trace.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace evt::tools {

class Losses {
 public:
  struct Loss {
    const StreamInfo* stream;
    std::string cause;  // empty: the rows that say it were not looked at, are gone, or had too many causes
    std::uint64_t events;
    bool is_rest;  // of a stream that has others, whose cause is known
  };

  // A loss that was met among the events.
  void add(const Event& event);
  // Those of a trace are from now on those of a later opening of it, whose first sessions are the same.
  void carry(const Trace& before, const Trace& now);
  // All of a session, stream by stream.
  std::vector<Loss> of(const Session& session) const;

 private:
  using Causes = std::map<std::string, std::uint64_t>;

  // Rows that take next to nothing of a file may have a cause of its own each.
  static constexpr std::size_t kMaxNoted = 4096;
  std::size_t noted_ = 0;
  std::map<std::pair<const Session*, std::uint32_t>, Causes> counted_;  // by session and stream
};

// Of a session whose ring was read to its end: "nothing is lost", or "nothing else is lost" where losses and missing
// rows are counted; empty where there is damage, which may have taken what cannot be counted.
std::string_view nothing_lost(const Trace& trace, const Session& session);

}  // namespace evt::tools
