// Parts of a trace's time that a user asks evt why to take as shorter.
#pragma once

#include <evt/analysis/why.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "why/why_names.h"

namespace evt::tools {

struct WhatIf {
  std::string text;  // as the user wrote it
  std::string part;  // pattern of the name of a span or call, or of RESOURCE:OBJECT
  double factor = 0;
  std::optional<std::int64_t> most_ns;

  static constexpr const char* kForms = "NAME=0, NAME=2ms, NAME=0.5x or lock:NAME=0";
  static std::optional<WhatIf> parse(const std::string& text);
};

// Refers to all that it is given; before the first item.
class WhatIfs {
 public:
  static constexpr std::size_t kMost = 16;
  // What the times of the table are.
  static constexpr const char* kBound =
      "sooner is an upper bound: nothing more can be gained while threads take locks and cpus in the same order";

  // REQUIRES: kMost at most.
  WhatIfs(const std::vector<WhatIf>& asked, Timeline& timeline, Why& why, const WhyWords& words);

  // Of those that are there: how much sooner the interval would end. REQUIRES: the items were taken.
  Table table(const WhyInterval& interval);
  // Sentences about those that are not there.
  std::vector<std::string> nothing() const;

 private:
  std::uint16_t groups_of(std::uint32_t name);
  std::vector<bool> targets_of(const WhatIf& asked) const;
  std::string about(std::uint32_t target) const;
  bool is_there(std::size_t index) const;

  const std::vector<WhatIf>* asked_;
  Timeline* timeline_;
  Why* why_;
  const WhyWords* words_;
  std::vector<std::optional<std::uint16_t>> groups_;  // by name; those that no span or call has had have none
};

}  // namespace evt::tools
