// Spans and calls, each with what is around it.
#pragma once

#include <evt/analysis/spans.h>
#include <evt/open_stack.h>

#include <optional>

#include "item_rows.h"

namespace evt {

class SpanRows : public ItemRows {
 public:
  static Table table();

  void begin_session(Timeline& timeline, std::int64_t from_ns) override;
  void take(const TimelineItem& item, RowsInMaking* rows) override;

 private:
  struct Open {
    std::uint64_t id = 0;
    std::int64_t began_utc_ns = 0;
  };

  // `parent`: the id of the one around it; 0: none.
  void add(const TimelineItem& item, const Open& ended, std::uint64_t parent, RowsInMaking* rows) const;

  std::optional<Spans> spans_;
  std::optional<Spans::Instance> instance_;  // that the item ended
  OpenStacks<Open> open_;
  std::uint64_t begun_ = 0;
};

}  // namespace evt
