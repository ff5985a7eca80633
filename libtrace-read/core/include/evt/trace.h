// evtrace reader: opens a trace and hands out its events in time order.
//
//   auto trace = evt::Trace::open("app.evt");
//   if (!trace) return fail(trace.status());
//   auto events = trace->events();
//   while (const evt::Event* e = events.next()) {
//     if (auto stop = e->as<ThreadStop>()) use(stop->thread);
//   }
//   if (!events.status().ok()) return fail(events.status());
//
// What is wrong with a file is a Status; the one exception is std::bad_alloc, without memory, from any call. One thread
// at a time uses a trace and what came from it, and a trace outlives what came from it.
#pragma once

#include <evt/event.h>
#include <evt/opaque.h>

#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evt {
class ByteSource;
struct TraceData;
}  // namespace evt

#pragma GCC visibility push(default)
namespace evt {

struct ReadOptions {
  // Rings of sessions that were not closed are looked for on this machine. One is read if it names the file by device
  // and inode, so what is no regular file has none.
  bool rings = true;
  // Those of dead writers that are read stay locked as long as the trace is open: no program that starts puts them into
  // the file, or removes them. For a recovery.
  bool lock_rings = false;
  // The one ring that is looked for, by its name or, with a '/', its path: it is read whatever file it names, if its
  // user and its session are the file's. For a copy of a trace. Must live until the trace is open.
  std::string_view ring{};
  // Bytes of decoded blocks held at a time, whatever the number of streams; no more than 8 MiB and 64 times the file's
  // size. Windows and indexes come on top.
  std::size_t memory_budget = 64 << 20;
  // Bytes of an unlinked temporary file for the rows of compressed blocks that are larger than their stream's part of
  // that budget, so that they are not unpacked again for each part. 0: they are.
  std::size_t spool_budget = 1 << 30;
  // Damage, a truncated session or one that cannot be read is an error at open, or ends the events where it is met,
  // instead of being skipped and listed.
  bool strict = false;
  // Where blocks are is read from the indexes of a file that has them, and headers of events when their rows are read.
  // Strict reading looks at all headers all the same.
  bool use_index = true;
  // Looks at all headers and all rows, and lists as damage where an index, a header or a TRAILER differs from what it
  // describes. `Session::counts` are the index's.
  bool check_index = false;
  // Looks for blocks in all of a file, whatever it begins with, and takes blocks of sessions whose beginning is
  // missing. For files that are no trace any more: what it finds may be remains of older ones.
  bool salvage = false;
  // What was read from a descriptor that cannot be seeked before it was handed over.
  Bytes already_read{};
};

// Nanoseconds since a session's start, both included.
struct TimeRange {
  std::int64_t from_ns = INT64_MIN;
  std::int64_t to_ns = INT64_MAX;

  bool is_limited() const { return from_ns != INT64_MIN || to_ns != INT64_MAX; }
  bool contains(std::int64_t ns) const { return ns >= from_ns && ns <= to_ns; }
};

struct EventOptions {
  // Losses (`!lost`, with fields count, cause and duration) and meant steps in time (`!jump`) are handed out as events.
  bool markers = false;
  // So are the rows that end their streams (`!end`), where a writer recorded such.
  bool ends = false;
  // Orders by nanoseconds alone, not by clocks and ticks as well. It differs only for events of different streams
  // within one nanosecond, which are then in the order of their streams.
  bool by_ns = false;
  // Which times of a session, and which of its streams, are wanted; empty: all. Asked when reading of a session begins.
  // What is left out is not read where whole blocks are of it, so damage there is not met.
  std::function<TimeRange(const Session&)> range{};
  std::function<bool(const Session&, const StreamInfo&)> stream{};
};

// Events that follow one another in order, as arrays of the same length. Of one session.
struct EventBatch {
  const Session* session = nullptr;
  std::span<const std::int64_t> ns;  // since the session's start
  std::span<const EventType* const> types;
  std::span<const StreamInfo* const> streams;
  std::span<const Bytes> payloads;

  std::size_t size() const { return ns.size(); }
};

// A stream of events in the order of FORMAT.md, section 9; sessions follow one another in the order of the file.
class Events {
 public:
  // The next event; null at the end. The view holds until the next call.
  const Event* next() { return ordered_.next != ordered_.end || next_window() ? next_ready() : nullptr; }
  // The same, of the session of the latest event, as long as nothing must be read for it: so Trace::missing() is what
  // it was. Null: next() has to be asked.
  const Event* next_ready() {
    if (ordered_.next == ordered_.end) return nullptr;
    event_->row_ = ordered_.rows + (*ordered_.next++ & (rows::Ordered::kMax - 1));
    if (!event_->copies_.empty()) event_->copies_.clear();
    return event_;
  }

  // For `for (const Event& event : events)`: the events that are left, each once, as next() hands them out.
  class Iterator {
   public:
    using value_type = Event;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(Events& events) : events_(&events), event_(events.next()) {}
    const Event& operator*() const { return *event_; }
    const Event* operator->() const { return event_; }
    Iterator& operator++() {
      event_ = events_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t) { return at.event_ == nullptr; }

   private:
    Events* events_;
    const Event* event_;
  };
  Iterator begin() { return Iterator(*this); }
  static std::default_sentinel_t end() { return {}; }

  // The next events, as many as are ready, one at least; null at the end. They hold until the next call of either. For
  // loops that look at little of many events.
  const EventBatch* next_batch();

  // What went wrong so far, the first thing first: a truncated or damaged file, or a struct that does not fit its event
  // type. Events that could be read were handed out all the same.
  const Status& status() const;

 private:
  friend class Trace;
  struct State;
  Events(TraceData& trace, const EventOptions& options);

  bool next_window();

  Hidden<State> state_;
  rows::Ordered ordered_;
  Event* event_;  // the one that is handed out
};

class Trace {
 public:
  // A file, or a folder of CTF, and what the ring of a session has that was not closed: its writer was killed, or
  // lives. A file that gzip, zstd or xz compressed is decompressed, beyond 1 MiB into an unlinked temporary file; no
  // ring is its. Code kIo: cannot be opened or read; kNotATrace; kNewerFormat.
  static Result<Trace> open(const std::string& path, const ReadOptions& options = {});
  // The segments of a session, or of several, each a file, in any order; one that is there twice is read once. Places
  // of damage count through the files in the order of files(). Rings are read of the last of these. The codes of
  // open().
  static Result<Trace> open(std::span<const std::string> paths, const ReadOptions& options = {});
  // Which of these files make one trace: those that are segments of one session, which open() takes together; each
  // other file is one by itself. Numbers of the paths, in the order of the first file of each. Only the first and the
  // last block of regular files are looked at.
  static std::vector<std::vector<std::size_t>> files_of_traces(std::span<const std::string> paths);
  // A descriptor, which stays the caller's. What cannot be seeked (a pipe) is read to its end first: in memory, beyond
  // 64 MiB in an unlinked temporary file. `name` is how messages call it.
  static Result<Trace> open(int descriptor, const std::string& name, const ReadOptions& options = {});
  // Bytes in memory, which must outlive the trace.
  static Result<Trace> from_memory(Bytes bytes, const ReadOptions& options = {});

  const std::deque<Session>& sessions() const;

  // May be called any number of times; each starts at the beginning. They refer to the trace.
  Events events(const EventOptions& options = {}) &;
  Events events(const EventOptions& options = {}) && = delete;

  // What had to be skipped: by the structure of the file at first, then also by what reading its blocks has shown.
  // Places are of the trace; of a compressed file, where decompressing it ended early, of that file.
  const std::vector<Damage>& damage() const;
  // What is missing, stream by stream; then what reading blocks has shown. Behind the last rows of a stream it is known
  // of a session with an INDEX or a TRAILER, and of the block inside which the file ends; where these are missing more
  // may be missing, of which nothing is known.
  const std::vector<MissingRows>& missing() const;
  // Ok, kTruncated, kDamaged or kNewerFormat: the first reason why not all that was written can be read, so far.
  Status status() const;

  // Rows of a stream that lie together.
  struct RowsInTime {
    const StreamInfo* stream = nullptr;
    std::int64_t first_ns = 0;  // of the earliest, since the session's start
    std::int64_t last_ns = 0;   // of the latest
    std::uint64_t rows = 0;     // reserved ones too
  };
  // Where a session's rows are, by the headers of blocks or the index: no row is read. What multiplexed blocks have of
  // streams is left out.
  std::vector<RowsInTime> rows_in_time(const Session& session) const;

  // What a session lost, stream by stream. Causes that its index does not have are read from the blocks that have
  // losses, with the first call.
  const std::vector<Loss>& losses(const Session& session) const;

  // What the rings of killed and living writers added to the file: `blocks` follow its first `file_size` bytes.
  // Empty when no ring was read.
  struct Recovery {
    std::uint64_t file_size = 0;
    std::vector<std::byte> blocks;
    std::vector<std::string> rings;  // paths
  };
  const Recovery& recovery() const;

  // Of a trace of several files: each, where it begins, and the names of those that have what another one has.
  struct File {
    std::string name;
    std::uint64_t begin = 0;
  };
  const std::vector<File>& files() const;
  const std::vector<std::string>& duplicates() const;
  // Sentences about a file of another format that are no damage.
  const std::vector<std::string>& notes() const;

  std::uint64_t size() const;            // of the file
  std::uint64_t spooled_bytes() const;   // of a pipe, that the reader put into a temporary file
  std::uint64_t bytes_read() const;      // of the file, so far; what is read twice counts twice
  std::uint64_t bytes_unpacked() const;  // of compressed blocks as rows, so far; what is unpacked twice counts twice

 private:
  friend struct TraceData;
  explicit Trace(std::unique_ptr<TraceData> data);
  static Result<Trace> from_data(std::unique_ptr<TraceData> data, bool named);
  Hidden<TraceData> data_;
};

}  // namespace evt
#pragma GCC visibility pop
