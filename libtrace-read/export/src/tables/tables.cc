#include <evt/export/table.h>
#include <evt/export/tables.h>
#include <evt/text/text_buffer.h>
#include <evt/trace.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "column_kinds.h"
#include "event_fields.h"
#include "field_column.h"
#include "item_rows.h"
#include "libtrace-read/text/memo.h"
#include "libtrace-read/text/session_key.h"
#include "rows_in_making.h"
#include "stated_rows.h"

namespace evt {
namespace {

constexpr std::size_t kFixed = 5;

// Indexes in Tables::all() of the tables of all traces.
constexpr std::size_t kSessionTable = 0;
constexpr std::size_t kAttributeTable = 1;
constexpr std::size_t kStreamTable = 2;
constexpr std::size_t kTypeTable = 3;
constexpr std::size_t kLossTable = 4;
// Then those of items, then those of events.
constexpr std::size_t kFirstItems = 5;
constexpr ItemTable (*kItemTables[])() = {thread_states_table, spans_table,       counters_table,
                                          marks_table,         collections_table, async_spans_table,
                                          samples_table,       stacks_table,      frames_table};
constexpr std::size_t kEventTables = kFirstItems + std::size(kItemTables);

}  // namespace

// A table of the events of one type, by its name, in all sessions that declare it.
class EventTable {
 public:
  explicit EventTable(std::string name) {
    table_.name = std::move(name);
    table_.columns = {session_column(), time_column("time", "when the event was recorded"),
                      never_null(ns_column("ns", "the same, since the session's start")),
                      never_null(count_column("stream", "id of the stream")),
                      count_column("stream_thread", "the operating system's number of the thread of the stream")};
    for (const Column& column : table_.columns) names_.insert(column.name);
  }

  // Called before any row is added: adds the fields of one of the types.
  void add_type(const EventType& type) {
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
  const Table& table() const { return table_; }
  // Columns of a type's fields, in their order, once all types were added. REQUIRES: this one was.
  EventFields fields_of(const EventType& type) const { return {type, places_.at(&type), table_.columns}; }

  // REQUIRES: `fields` are those of the event's type.
  void add_row(const Event& event, const EventFields& fields, TextBuffer* made, RowsInMaking* rows) const {
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

 private:
  void add_column(const Field& field, std::string name);

  Table table_;
  std::set<std::string> names_;  // its columns' names
  std::map<std::string, std::size_t, std::less<>>
      place_of_;  // by the name of the field; a second one of a name: NAME_2
  std::unordered_map<const EventType*, std::vector<std::size_t>> places_;  // columns of its fields
};

void EventTable::add_column(const Field& field, std::string name) {
  while (!names_.insert(name).second) name.insert(0, "field_");
  table_.columns.push_back(column_of(field));
  table_.columns.back().name = std::move(name);
}

struct Tables::Impl {
  explicit Impl(std::span<Trace* const> of) : traces(of.begin(), of.end()) {
    all = {sessions_table(), attributes_table(), streams_table(), types_table(), lost_table()};
    for (const auto make : kItemTables) all.push_back(make().table);
    std::map<std::string, std::vector<const EventType*>> types;
    for (const Trace* const trace : traces) {
      for (const Session& session : trace->sessions()) {
        for (const EventType& type : session.types) types[type.name()].push_back(&type);
      }
    }
    // A type may have the name of a table of all traces.
    std::set<std::string> taken;
    for (const Table& table : all) taken.insert(table.name);
    for (const auto& [name, declared] : types) {
      std::string free = name;
      while (!taken.insert(free).second || (free != name && types.contains(free))) free.insert(0, "event.");
      EventTable& table = events.emplace_back(std::move(free));
      for (const EventType* const type : declared) {
        table.add_type(*type);
        event_of[type] = events.size() - 1;
      }
    }
    for (const EventTable& event : events) all.push_back(event.table());
  }

  std::size_t place_of(const Table& table) const { return static_cast<std::size_t>(&table - all.data()); }

  std::vector<Trace*> traces;
  std::vector<EventTable> events;
  std::map<const EventType*, std::size_t> event_of;  // its place in `events`
  std::vector<Table> all;
};

class Tables::Rows::Impl {
 public:
  Impl(const Tables::Impl& tables, std::span<const Table* const> wanted, const Options& options)
      : tables_(tables), options_(options), rows_(tables.all.size()) {
    for (const Table* const table : wanted) {
      const std::size_t place = tables_.place_of(*table);
      std::vector<bool> has_values;
      for (const Column& column : table->columns) {
        has_values.push_back(!options_.column || options_.column(*table, column));
      }
      rows_[place].emplace(*table, std::move(has_values), options_.most_rows, &full_);
      if (place >= kEventTables || place == kLossTable) {
        has_events_ = true;
      } else if (place >= kFirstItems) {
        items_[place] = kItemTables[place - kFirstItems]().rows();
        has_items_ = true;
      }
    }
  }

  TableBatch* next() {
    if (!full_.empty()) full_.pop_front();  // returned by the last call
    while (full_.empty()) {
      if (!step()) return nullptr;
    }
    return &full_.front();
  }

  const Status& status() const { return status_; }

 private:
  // Phases of a trace. Its metadata comes last: missing rows that reading found are known by then.
  enum class Phase : std::uint8_t { kBegin, kItems, kEvents, kStated, kEnd };
  // The destination of events of a type.
  struct Target {
    const EventTable* table = nullptr;
    EventFields fields{};
    RowsInMaking* rows = nullptr;  // null: nowhere
  };

  bool step() {
    if (trace_ == tables_.traces.size()) {
      if (phase_ == Phase::kEnd) return false;
      phase_ = Phase::kEnd;
      flush();
      return true;
    }
    switch (phase_) {
      case Phase::kBegin:
        begin_items();
        return true;
      case Phase::kItems:
        go_on_with_items();
        return true;
      case Phase::kEvents:
        go_on_with_events();
        return true;
      default:
        add_stated();
        ++trace_;
        phase_ = Phase::kBegin;
        return true;
    }
  }

  void add_stated() {
    std::size_t number = 0;
    for (const Session& session : trace().sessions()) {
      if (RowsInMaking* const rows = rows_of(kSessionTable)) add_session_row(session, trace_, number, rows);
      if (RowsInMaking* const rows = rows_of(kAttributeTable)) add_attribute_rows(session, rows);
      if (RowsInMaking* const rows = rows_of(kStreamTable)) add_stream_rows(session, rows);
      if (RowsInMaking* const rows = rows_of(kTypeTable)) add_type_rows(trace(), session, rows);
      ++number;
      end_session();
    }
  }

  void begin_items() {
    phase_ = Phase::kItems;
    in_session_ = false;
    if (!has_items_) return begin_events();
    Timeline::Options options;
    // What is in progress at the start of the range has begun earlier.
    options.range = [this](const Session& session) { return TimeRange{INT64_MIN, range_of(session).to_ns}; };
    timeline_.emplace(trace(), std::move(options));
    RoleSet rows;
    for (const auto& item_rows : items_) {
      if (item_rows != nullptr) rows |= item_rows->rows();
    }
    timeline_->hand_out_rows(rows);
  }

  void go_on_with_items() {
    if (!in_session_) {
      if (!timeline_->next_session()) {
        note(timeline_->status());
        timeline_.reset();
        return begin_events();
      }
      in_session_ = true;
      const Session& session = timeline_->actors().session();
      const std::int64_t from_ns = within_cut(session, range_of(session)).from_ns;
      for (const auto& item_rows : items_) {
        if (item_rows != nullptr) item_rows->begin_session(*timeline_, from_ns);
      }
    }
    while (full_.empty()) {
      const TimelineItem* const item = timeline_->next();
      in_session_ = item != nullptr;
      for (std::size_t i = 0; i < kEventTables; ++i) {
        if (items_[i] == nullptr) continue;
        if (item != nullptr) {
          items_[i]->take(*item, &*rows_[i]);
        } else {
          items_[i]->end_session(&*rows_[i]);
        }
      }
      if (!in_session_) return end_session();
    }
  }

  void begin_events() {
    phase_ = has_events_ ? Phase::kEvents : Phase::kStated;
    session_ = nullptr;
    sessions_ended_ = 0;
    targets_.clear();
    if (!has_events_) return;
    EventOptions options;
    options.markers = rows_of(kLossTable) != nullptr;
    options.range = options_.range;
    events_.emplace(trace().events(options));
  }

  void go_on_with_events() {
    while (full_.empty()) {
      const Event* const event = events_->next();
      if (event == nullptr) {
        while (sessions_ended_ < trace().sessions().size()) end_session_of_events();
        note(events_->status());
        events_.reset();
        phase_ = Phase::kStated;
        return;
      }
      if (session_ != &event->session()) {
        session_ = &event->session();
        while (&trace().sessions()[sessions_ended_] != session_) end_session_of_events();
      }
      if (event->is_lost()) {
        add_lost_row(*event, rows_of(kLossTable));
        continue;
      }
      const Target& target = targets_.of(event->type(), [&] { return target_of(event->type()); });
      if (target.rows != nullptr) target.table->add_row(*event, target.fields, &made_, target.rows);
    }
  }

  Target target_of(const EventType& type) {
    const auto known = tables_.event_of.find(&type);
    if (known == tables_.event_of.end()) return {};
    RowsInMaking* const rows = rows_of(kEventTables + known->second);
    if (rows == nullptr) return {};
    const EventTable& table = tables_.events[known->second];
    return {&table, table.fields_of(type), rows};
  }

  void end_session_of_events() {
    const std::size_t number = sessions_ended_++;
    if (RowsInMaking* const rows = rows_of(kLossTable)) {
      add_missing_rows(trace(), number, range_of(trace().sessions()[number]), rows);
    }
    end_session();
  }

  void end_session() {
    if (options_.split_sessions) flush();
  }
  void flush() {
    for (auto& rows : rows_) {
      if (rows) rows->flush();
    }
  }
  void note(const Status& status) {
    if (status_.ok()) status_ = status;
  }
  Trace& trace() { return *tables_.traces[trace_]; }
  RowsInMaking* rows_of(std::size_t place) { return rows_[place] ? &*rows_[place] : nullptr; }
  TimeRange range_of(const Session& session) const { return options_.range ? options_.range(session) : TimeRange(); }

  const Tables::Impl& tables_;
  Options options_;
  RowsInMaking::Batches full_;
  std::vector<std::optional<RowsInMaking>> rows_;  // by index in all(), for the wanted ones
  bool has_items_ = false;
  bool has_events_ = false;  // or losses
  std::array<std::unique_ptr<ItemRows>, kEventTables> items_;
  Status status_;

  std::size_t trace_ = 0;
  Phase phase_ = Phase::kBegin;
  std::optional<Timeline> timeline_;
  bool in_session_ = false;
  std::optional<Events> events_;
  const Session* session_ = nullptr;  // the latest event's
  std::size_t sessions_ended_ = 0;
  TypeMemo<Target> targets_;  // for the types of the trace
  TextBuffer made_;
};

Tables::Tables(std::span<Trace* const> traces) : impl_(std::make_unique<Impl>(traces)) {}

const std::vector<Table>& Tables::all() const { return impl_->all; }

std::span<const Table> Tables::of_events() const { return std::span(all()).subspan(kEventTables); }

const Table* Tables::find(std::string_view name) const {
  const auto found = std::find_if(all().begin(), all().end(), [&](const Table& table) { return table.name == name; });
  return found != all().end() ? &*found : nullptr;
}

Tables::Rows Tables::read(std::span<const Table* const> tables, const Options& options) const {
  return Rows(std::make_unique<Rows::Impl>(*impl_, tables, options));
}

Tables::Rows::Rows(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TableBatch* Tables::Rows::next() { return impl_->next(); }
const Status& Tables::Rows::status() const { return impl_->status(); }

}  // namespace evt
