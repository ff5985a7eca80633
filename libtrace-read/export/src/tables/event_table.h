// A table of the events of one type, by its name, in all sessions that declare it.
#pragma once

#include <evt/export/table.h>
#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "event_fields.h"
#include "rows_in_making.h"

namespace evt {

class EventTable {
 public:
  explicit EventTable(std::string name);

  // Called before any row is added: adds the fields of one of the types.
  void add_type(const EventType& type);
  const Table& table() const { return table_; }
  // Columns of a type's fields, in their order, once all types were added. REQUIRES: this one was.
  EventFields fields_of(const EventType& type) const { return {type, places_.at(&type), table_.columns}; }

  // REQUIRES: `fields` are those of the event's type.
  void add_row(const Event& event, const EventFields& fields, TextBuffer* made, RowsInMaking* rows) const;

 private:
  void add_column(const Field& field, std::string name);

  Table table_;
  std::set<std::string> names_;  // its columns' names
  std::map<std::string, std::size_t, std::less<>>
      place_of_;  // by the name of the field; a second one of a name: NAME_2
  std::unordered_map<const EventType*, std::vector<std::size_t>> places_;  // columns of its fields
};

}  // namespace evt
