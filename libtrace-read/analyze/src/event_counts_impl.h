// The data of EventCounts.
#pragma once

#include <evt/analysis/event_counts.h>

#include <vector>

#include "archive.h"

namespace evt {

struct EventCounts::Impl {
  static Impl& of(EventCounts& counts) { return *counts.impl_; }

  void archive(Archive& archive, const Session& session) {
    archive.list(by_type, session.types.size(), [&](std::uint64_t& count) { archive.numbers(count); });
    archive.numbers(undeclared, all, lost);
  }

  std::vector<std::uint64_t> by_type;  // by place in Session::types
  std::uint64_t undeclared = 0;
  std::uint64_t all = 0;
  std::uint64_t lost = 0;
};

}  // namespace evt
