// Asynchronous spans.
#pragma once

#include <map>
#include <tuple>

#include "item_rows.h"

namespace evt {

class AsyncSpanRows : public ItemRows {
 public:
  static Table table();

  void begin_session(Timeline& timeline, std::int64_t from_ns) override;
  void take(const TimelineItem& item, RowsInMaking* rows) override;

 private:
  using Key = std::tuple<const StreamInfo*, std::uint64_t, std::int64_t>;  // where it began, its id, and when

  std::int64_t take_began_utc_ns(const TimelineItem& item);
  void add(const TimelineItem& item, std::int64_t began_utc_ns, RowsInMaking* rows) const;

  std::map<Key, std::int64_t> began_utc_ns_;  // of those that are open
};

}  // namespace evt
