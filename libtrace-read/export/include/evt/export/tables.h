// Traces as tables: what they state of themselves, who did what and when, and a table for each type of event.
#pragma once

#include <evt/export/table.h>
#include <evt/opaque.h>
#include <evt/trace.h>

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// docs/TABLES.md has them all, with their columns. The first are of all traces:
//
//   sessions, attributes, streams, types    what a trace states of itself
//   lost                                    events that were lost, and rows that are missing
//   thread_states                           what each thread did, from when to when
//   spans                                   spans and calls, with what is around them and their own time
//   counters, marks                         values, and moments with a message
//
// and behind them one for each type of event that some session declares, by its name, in order of these. Types of one
// name in several sessions are one table: it has the fields of all of them, by their names; one that is of different
// kinds is text.
class Tables {
 public:
  struct Options {
    // Rows that lie in it, or reach into it; of tables of events those in it.
    std::function<TimeRange(const Session&)> range{};
    // Of columns that are not wanted, rows are counted, and no values kept: their ColumnValues have a size alone.
    std::function<bool(const Table&, const Column&)> column{};
    std::size_t most_rows = 8192;  // of a batch
    bool split_sessions = false;   // no batch has rows of several
  };
  // Batches, one after another. Refers to the tables and their traces; one thread at a time.
  class Rows {
   public:
    // The next; null at the end. Of one table its rows are in the order of the traces, and in order of time: of when a
    // state, a span or a loss ended. Holds until the next call, unless the caller takes it.
    TableBatch* next();
    // What went wrong with reading so far, as Events::status() has it.
    const Status& status() const;

   private:
    friend class Tables;
    class Impl;
    explicit Rows(std::unique_ptr<Impl> impl);
    Hidden<Impl> impl_;
  };

  // The traces must outlive it.
  explicit Tables(std::span<Trace* const> traces);

  const std::vector<Table>& all() const;
  // Those of all() that are of one type of event each.
  std::span<const Table> of_events() const;
  // Null: there is none of this name.
  const Table* find(std::string_view name) const;

  // Of tables of all(), in one reading of their traces. REQUIRES: each once.
  Rows read(std::span<const Table* const> tables, const Options& options) const;

 private:
  struct Impl;
  Hidden<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
