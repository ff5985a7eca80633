// Moments that programs mark.
#pragma once

#include <evt/export/text_buffer.h>

#include "item_rows.h"

namespace evt {

class MarkRows : public ItemRows {
 public:
  static Table table();

  RoleSet rows() const override { return {Role::kMark}; }
  void take(const TimelineItem& item, RowsInMaking* rows) override;

 private:
  TextBuffer made_;
};

}  // namespace evt
