// Traces as tables: their metadata, who did what and when, and a table for each type of event.
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

// docs/TABLES.md lists them all, with their columns. The first are those of all traces:
//
//   sessions, attributes, streams, types    what a trace states about itself
//   lost                                    events that were lost, and rows that are missing
//   thread_states                           what each thread did, from when to when
//   spans                                   spans and calls, with their enclosing ones and self time
//   async_spans                             spans that belong to no thread
//   collections                             what garbage collectors did
//   counters, marks                         values, and moments with a message
//   samples, stacks, frames                 samples, the stacks that events refer to, and the frames of these
//
// and after them one for each type of event that some session declares, by its name, in that order. Types of one name
// in several sessions share a table: it has the fields of all of them, by their names; a field of different kinds is
// text.
class Tables {
 public:
  struct Options {
    // Rows that lie in it, or overlap it; in tables of events those in it.
    std::function<TimeRange(const Session&)> range{};
    // Unwanted columns keep no values: their ColumnValues have only a size.
    std::function<bool(const Table&, const Column&)> column{};
    std::size_t most_rows = 8192;  // per batch
    bool split_sessions = false;   // no batch has rows of several sessions
  };
  // Batches, one after another. Refers to the tables and their traces; one thread at a time.
  class Rows {
   public:
    // The next batch; null at the end. The rows of one table are in the order of the traces, and in order of time: when
    // a state, a span or a loss ended. Valid until the next call, unless the caller takes it.
    TableBatch* next();
    // The first error of reading so far, see Events::status().
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
  // The tables in all() that hold one type of event each.
  std::span<const Table> of_events() const;
  // Null: there is none of this name.
  const Table* find(std::string_view name) const;

  // Reads these tables of all() in one pass over their traces. REQUIRES: each once.
  Rows read(std::span<const Table* const> tables, const Options& options) const;

 private:
  struct Impl;
  Hidden<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
