// Processes that restricted their own system calls, and were not recorded from then on.
#pragma once

#include <evt/timeline.h>

#include <map>
#include <string>
#include <vector>

namespace evt::tools {

// Takes the items of a merged session in order.
class Restrictions {
 public:
  explicit Restrictions(const Session& session) : session_(session) {}

  void take(const TimelineItem& item);
  // Sentences for the summary.
  std::vector<std::string> notes() const;

 private:
  struct Restriction {
    std::int64_t ns = 0;
    bool was_refused = false;
    std::uint64_t threads = 0;  // that were left out, if it was refused
  };

  std::string name_of(std::uint32_t stream) const;

  const Session& session_;
  std::map<std::string, Restriction> by_process_;  // the latest; by the name of its part
};

}  // namespace evt::tools
