// The fields of events of one type as columns of a table.
#pragma once

#include <evt/export/table.h>
#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <cstddef>
#include <vector>

namespace evt {

class EventFields {
 public:
  EventFields() = default;
  // `places`: the index in `columns` of the column of each field. Refers to these and to the type.
  EventFields(const EventType& type, const std::vector<std::size_t>& places, const std::vector<Column>& columns);

  // Adds a row to the columns of the fields, until one that the event is too short for; returns their number. REQUIRES:
  // it is of the type.
  std::size_t add(const Event& event, TableBatch* to, TextBuffer* made) const {
    const Bytes payload = event.payload();
    std::size_t added = 0;
    for (; added < fields_.size(); ++added) {
      const Placed& field = fields_[added];
      if (field.form == Form::kOther || payload.size() < field.offset + field.width) {
        return add_others(event, added, to, made);
      }
      const Value value(*field.field, Shape::kFixed, payload.subspan(field.offset, field.width), 1);
      if (field.form == Form::kUnsigned) {
        to->columns[field.place].add_unsigned(value.as_unsigned());
      } else {
        to->columns[field.place].add_signed(value.as_signed());
      }
    }
    return added;
  }

 private:
  // Nearly all values are integers at a fixed offset of each event, and go into the column unchanged.
  enum class Form : std::uint8_t { kUnsigned, kSigned, kOther };
  struct Placed {
    const Field* field;
    const Column* column;
    std::size_t place;   // the column's
    std::size_t offset;  // offset of the value in a payload, unless the form is other
    std::size_t width;
    Form form;
  };

  static Form form_of(const Field& field, const Column& column);
  std::size_t add_others(const Event& event, std::size_t added, TableBatch* to, TextBuffer* made) const;

  std::vector<Placed> fields_;
};

}  // namespace evt
