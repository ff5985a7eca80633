// evtrace reader: opens a trace and returns its events in time order.
//
//   auto trace = evt::Trace::open("app.evt");
//   if (!trace) return fail(trace.status());
//   auto events = trace->events();
//   while (const evt::Event* e = events.next()) {
//     if (auto stop = e->as<ThreadStop>()) use(stop->thread);
//   }
//   if (!events.status().ok()) return fail(events.status());
//
// Errors of a file are a Status. The only exception is std::bad_alloc, which any call may throw. One thread at a time
// uses a trace and the objects from it, and the trace must outlive them.
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
  // Look for rings of sessions that were not closed, on this machine, and in the folders of rings for segments of
  // sessions that continue in other files. A ring is read if it names a file of the trace by device and inode, so only
  // regular files have one.
  bool rings = true;
  // Keep the rings of dead writers that are read locked while the trace is open: no program that starts puts them into
  // the file, or removes them. For a recovery.
  bool lock_rings = false;
  // Look only for this ring, by its name or, with a '/', its path: it is read whatever file it names, if its user and
  // its session are the file's. For a copy of a trace. Must live until the trace is open.
  std::string_view ring{};
  // Limit for bytes of decoded blocks, whatever the number of streams; at most 8 MiB and 64 times the file's size are
  // used. Windows and indexes are additional.
  std::size_t memory_budget = 64 << 20;
  // Bytes of an unlinked temporary file for the rows of compressed blocks that are larger than their stream's part of
  // that budget, so that they are not unpacked again for each part. 0: they are.
  std::size_t spool_budget = 1 << 30;
  // Treat damage, a truncated session or an unreadable one as an error at open, or end the events at that point,
  // instead of skipping and listing it.
  bool strict = false;
  // Find blocks through the indexes of a file that has them, and read headers of events with their rows. Strict reading
  // looks at all headers anyway.
  bool use_index = true;
  // Look at all headers and all rows, and list as damage where an index, a header or a TRAILER differs from what it
  // describes. `Session::counts` are those of the index.
  bool check_index = false;
  // Look for blocks in the whole file, whatever it begins with, and accept blocks of sessions whose beginning is
  // missing. For files that are no longer valid traces: what it finds may be remains of older ones.
  bool salvage = false;
  // Accept sessions of a draft of this version, which are refused otherwise. For a conversion.
  bool drafts = false;
  // Bytes that were read from a non-seekable descriptor before it was passed.
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
  // Losses (`!lost`, with fields count, cause and duration) and intentional steps in time (`!jump`) are returned as
  // events.
  bool markers = false;
  // Also the rows that end their streams (`!end`), if a writer recorded them.
  bool ends = false;
  // Order only by nanoseconds, not by clocks and ticks as well. It differs only for events of different streams within
  // one nanosecond, which are then in the order of their streams.
  bool by_ns = false;
  // Select times and streams of a session; empty: all. Called when reading of a session begins. Whole blocks of
  // unselected rows are not read, so damage there is not noticed.
  std::function<TimeRange(const Session&)> range{};
  std::function<bool(const Session&, const StreamInfo&)> stream{};
};

// Consecutive events in order, as arrays of the same length. All of one session.
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
  // The next event; null at the end. The view is valid until the next call.
  const Event* next() { return ordered_.next != ordered_.end || next_window() ? next_ready() : nullptr; }
  // Like next(), for events of the same session that need no reading: Trace::missing() does not change. Null: call
  // next().
  const Event* next_ready() {
    if (ordered_.next == ordered_.end) return nullptr;
    event_->row_ = ordered_.rows + (*ordered_.next++ & (rows::Ordered::kMax - 1));
    if (!event_->copies_.empty()) event_->copies_.clear();
    return event_;
  }

  // For `for (const Event& event : events)`: the remaining events, each once, as returned by next().
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

  // The next events, as many as are ready, at least one; null at the end. Valid until the next call of either. For
  // loops that look at little of many events.
  const EventBatch* next_batch();

  // The first error so far: a truncated or damaged file, or a struct that does not fit its event type. Readable events
  // were returned all the same.
  const Status& status() const;

 private:
  friend class Trace;
  struct State;
  Events(TraceData& trace, const EventOptions& options);

  bool next_window();

  Hidden<State> state_;
  rows::Ordered ordered_;
  Event* event_;  // the one that is returned
};

class Trace {
 public:
  // Opens a file, or a folder of CTF, with the ring of a session that was not closed: its writer was killed, or is
  // running. Of a flight recorder's file, with the segments in the folders of rings; files() are all of them. A file
  // compressed by gzip, zstd or xz is decompressed, beyond 1 MiB into an unlinked temporary file; it has no ring. Code
  // kIo: cannot be opened or read; kNotATrace; kNewerFormat.
  static Result<Trace> open(const std::string& path, const ReadOptions& options = {});
  // Opens the segments of a session, or of several, each a file, in any order; duplicates are read once. Offsets of
  // damage count through the files in the order of files(). Only the last of these has a ring that is read. The codes
  // of open().
  static Result<Trace> open(std::span<const std::string> paths, const ReadOptions& options = {});
  // Groups these files into traces: segments of one session, which open() takes together, form one group; each other
  // file is its own. Indexes into paths, in the order of the first file of each. Looks only at the first and the last
  // block of regular files.
  static std::vector<std::vector<std::size_t>> files_of_traces(std::span<const std::string> paths);
  // Opens a descriptor, which stays the caller's. If it is not seekable (a pipe), it is read to its end first: in
  // memory, beyond 64 MiB in an unlinked temporary file. Messages call it `name`.
  static Result<Trace> open(int descriptor, const std::string& name, const ReadOptions& options = {});
  // Bytes in memory, which must outlive the trace.
  static Result<Trace> from_memory(Bytes bytes, const ReadOptions& options = {});

  const std::deque<Session>& sessions() const;

  // May be called any number of times; each result starts at the beginning. They refer to the trace.
  Events events(const EventOptions& options = {}) &;
  Events events(const EventOptions& options = {}) && = delete;

  // Skipped parts: first from the structure of the file, later also from reading its blocks. Offsets are those of the
  // trace; if decompressing a file ended early, those of the compressed file.
  const std::vector<Damage>& damage() const;
  // Missing rows, stream by stream; later also those that reading blocks has shown. Rows missing after the last ones of
  // a stream are known for a session with an INDEX or a TRAILER, and for the block inside which the file ends; without
  // these, an unknown number may be missing.
  const std::vector<MissingRows>& missing() const;
  // Ok, kTruncated, kDamaged or kNewerFormat: the first reason known so far why not everything that was written can be
  // read.
  Status status() const;

  // Adjacent rows of a stream.
  struct RowsInTime {
    const StreamInfo* stream = nullptr;
    std::int64_t first_ns = 0;  // the earliest, since the session's start
    std::int64_t last_ns = 0;   // the latest
    std::uint64_t rows = 0;     // reserved ones too
  };
  // Where a session's rows are, from the headers of blocks or the index: reads no row. Leaves out the streams of
  // multiplexed blocks.
  std::vector<RowsInTime> rows_in_time(const Session& session) const;

  // Losses of a session, stream by stream. Causes that its index does not have are read from the blocks that have
  // losses, at the first call.
  const std::vector<Loss>& losses(const Session& session) const;

  // What the rings of killed and living writers added to the file: `blocks` follow its first `file_size` bytes. Empty
  // if no ring was read.
  struct Recovery {
    std::uint64_t file_size = 0;
    std::vector<std::byte> blocks;
    std::vector<std::string> rings;  // paths
  };
  const Recovery& recovery() const;

  // For a trace of several files, also those that open() found: each, where it begins, and the names of duplicates.
  struct File {
    std::string name;
    std::uint64_t begin = 0;
  };
  const std::vector<File>& files() const;
  const std::vector<std::string>& duplicates() const;
  // Sentences about a file of another format, other than damage.
  const std::vector<std::string>& notes() const;

  std::uint64_t size() const;            // the file's
  std::uint64_t spooled_bytes() const;   // from a pipe, which the reader put into a temporary file
  std::uint64_t bytes_read() const;      // read from the file, so far; bytes read twice count twice
  std::uint64_t bytes_unpacked() const;  // rows of compressed blocks, so far; unpacked twice counts twice

 private:
  friend struct TraceData;
  explicit Trace(std::unique_ptr<TraceData> data);
  static Result<Trace> from_data(std::unique_ptr<TraceData> data, bool named);
  Hidden<TraceData> data_;
};

}  // namespace evt
#pragma GCC visibility pop
