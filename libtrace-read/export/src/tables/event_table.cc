#include "event_table.h"

#include <set>

#include "column_kinds.h"
#include "field_column.h"
#include "libtrace-read/text/session_key.h"

namespace evt {
namespace {

constexpr std::size_t kFixed = 5;

}  // namespace

EventTable::EventTable(std::string name) {
  table_.name = std::move(name);
  table_.columns = {session_column(), time_column("time", "when the event was recorded"),
                    never_null(ns_column("ns", "the same, since the session's start")),
                    never_null(count_column("stream", "id of the stream")),
                    count_column("stream_thread", "the operating system's number of the thread of the stream")};
  for (const Column& column : table_.columns) names_.insert(column.name);
}

void EventTable::add_type(const EventType& type) {
  if (table_.description.empty()) table_.description = type.description();
  std::vector<std::size_t>& places = places_[&type];
  std::map<std::string, int> seen;
  std::set<std::string> keys;  // each gets one value per row
  for (const Field& field : type.fields()) {
    int& which = seen[field.name];
    std::string key;
    do {
      key = ++which == 1 ? field.name : field.name + "_" + std::to_string(which);
    } while (!keys.insert(key).second);
    const auto [place, is_new] = place_of_.try_emplace(key, table_.columns.size());
    if (is_new) {
      add_column(field, key);
    } else {
      Column& column = table_.columns[place->second];
      std::string name = std::move(column.name);
      column = column_of_both(column, column_of(field));
      column.name = std::move(name);
    }
    places.push_back(place->second);
  }
}

void EventTable::add_column(const Field& field, std::string name) {
  while (!names_.insert(name).second) name.insert(0, "field_");
  table_.columns.push_back(column_of(field));
  table_.columns.back().name = std::move(name);
}

void EventTable::add_row(const Event& event, const EventFields& fields, TextBuffer* made, RowsInMaking* rows) const {
  TableBatch& batch = rows->batch();
  const std::size_t row = batch.rows();
  batch.columns[0].add_unsigned(session_key(event.session()));
  batch.columns[1].add_signed(event.utc_ns());
  batch.columns[2].add_signed(event.ns());
  batch.columns[3].add_unsigned(event.stream().id);
  if (event.stream().thread != 0) {
    batch.columns[4].add_unsigned(event.stream().thread);
  } else {
    batch.columns[4].add_null();
  }
  if (fields.add(event, &batch, made) == batch.columns.size() - kFixed) return;
  // Fields of other types of this name, and fields that the event is too short for.
  for (std::size_t i = kFixed; i < batch.columns.size(); ++i) {
    if (batch.columns[i].size() == row) batch.columns[i].add_null();
  }
}

}  // namespace evt
