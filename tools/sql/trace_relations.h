// Tables of traces as tables of a database: a view of its name for each, and a table function of that name, which takes
// the moments `start` and `stop`. Where DuckDB has a function of the name, ours has `event.` in front. Beside those of
// evt::Tables there is `events`: all events, without their fields.
#pragma once

#include <evt/export/tables.h>

#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sql/database.h"

namespace evt::tools {

// DuckDB takes names that differ in case alone for the same: the second one of such gets `_2` behind it.
class SqlNames {
 public:
  // The name as it is, or with what makes it another one. `front`: what is tried first, in front of it.
  std::string unique(const std::string& name, const char* front = "");

 private:
  std::set<std::string> taken_;  // in lower case
};

class TraceRelations {
 public:
  struct Relation {
    std::string name;  // in the database
    const evt::Table* table;
    std::vector<const evt::Table*> read;  // the table, or those whose columns begin as it does
    bool names_tables;                    // which of them a row is of is its last column
    std::vector<std::string> columns;     // their names in the database
    const TraceRelations* of;
  };

  // Refers to the tables; is referred to by the databases that it was added to.
  TraceRelations(const Tables& tables, std::function<TimeRange(const Session&)> range);
  TraceRelations(const TraceRelations&) = delete;
  TraceRelations& operator=(const TraceRelations&) = delete;

  // Names that are taken by others: a table that has such a one gets `event.` in front.
  void reserve(const std::string& name) { names_.unique(name); }
  // All of them.
  Status add_to(Database& database);
  const std::deque<Relation>& all() const { return relations_; }
  // Null: there is none of this name, in any case.
  const Relation* find(std::string_view name) const;

  // Reading is for one thread at a time, and the database has several.
  const Tables& tables() const { return tables_; }
  const std::function<TimeRange(const Session&)>& range() const { return range_; }
  std::mutex& reading() const { return reading_; }
  // What a table of events is called in the database.
  const std::string& name_of(const evt::Table& table) const { return names_of_events_.at(&table); }

 private:
  Status reserve_functions(const Database& database);
  Status add(Database& database, const evt::Table& table, std::vector<const evt::Table*> read);

  const Tables& tables_;
  std::function<TimeRange(const Session&)> range_;
  evt::Table events_;  // all of them
  std::map<const evt::Table*, std::string> names_of_events_;
  SqlNames names_;
  SqlNames functions_;
  std::deque<Relation> relations_;
  mutable std::mutex reading_;
};

}  // namespace evt::tools
