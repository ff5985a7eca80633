// Values of counters.
#pragma once

#include <evt/analysis/counters.h>

#include <optional>

#include "item_rows.h"

namespace evt {

class CounterRows : public ItemRows {
 public:
  static Table table();

  RoleSet rows() const override { return {Role::kCounter, Role::kCounterTotal, Role::kCounterDelta}; }
  void begin_session(Timeline& timeline, std::int64_t from_ns) override;
  void take(const TimelineItem& item, RowsInMaking* rows) override;

 private:
  std::optional<Counters> counters_;
};

}  // namespace evt
