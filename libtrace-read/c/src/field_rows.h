// The fields of events of one type as rows.
#pragma once

#include <evt/arrow.h>
#include <evt/export/table.h>
#include <evt/export/text_buffer.h>
#include <evt/trace.h>

#include <memory>

#include "libtrace-read/export/src/tables/event_fields.h"

namespace evt::reader {

// Refers to the type, which must have a field. One thread at a time.
class FieldRows {
 public:
  explicit FieldRows(const EventType& type);
  FieldRows(const FieldRows&) = delete;
  FieldRows& operator=(const FieldRows&) = delete;
  ~FieldRows();

  // REQUIRES: the event is of the type.
  void add(const Event& event, TextBuffer* made);
  bool is_empty() const { return rows_->rows() == 0; }
  // Whether a text of it is long, so that more rows should wait.
  bool has_long() const;

  // The rows that were added since the last call, which hold until the next.
  const ArrowArray* take();
  const ArrowSchema* schema() const { return &schema_; }

 private:
  Table table_;
  EventFields fields_;
  std::unique_ptr<TableBatch> rows_;
  ArrowSchema schema_ = {};
  ArrowArray array_ = {};
};

}  // namespace evt::reader
