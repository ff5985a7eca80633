// Collections of garbage.
#pragma once

#include <map>
#include <utility>

#include "item_rows.h"

namespace evt {

class CollectionRows : public ItemRows {
 public:
  static Table table();

  void begin_session(Timeline& timeline, std::int64_t from_ns) override;
  void take(const TimelineItem& item, RowsInMaking* rows) override;

 private:
  void add(const TimelineItem& item, std::int64_t utc_ns, RowsInMaking* rows) const;

  std::map<const StreamInfo*, std::pair<std::int64_t, std::int64_t>> began_;  // the latest: ns, UTC
};

}  // namespace evt
