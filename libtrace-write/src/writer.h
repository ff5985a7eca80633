// The state behind evt_writer and evt_stream, and who may touch what.
#pragma once

#include <evt/emit.h>
#include <pthread.h>
#include <sys/types.h>

#include "block_output.h"
#include "clock.h"
#include "metadata_log.h"
#include "string_table.h"
#include "type_table.h"

namespace evt {

// One stream. `hot` belongs to the producer; the rest changes under the writer's lock, or in the producer alone while
// it is between begin and commit.
struct alignas(64) StreamState {
  evt_stream hot;  // first, so that the two pointers convert into each other
  evt_writer* writer;
  StreamState* next;  // in the writer's list

  std::uint32_t id;
  std::uint32_t seq;       // blocks so far
  std::uint64_t ordinal;   // rows so far
  std::uint8_t* block;     // header room, rows, padding room; null once sealed
  std::uint32_t capacity;  // bytes of rows
  std::uint8_t* overflow;  // an event that does not fit: a block of its own, in mapped memory
  std::size_t overflow_size;
  std::uint64_t block_base;                     // hot.base as it was when the buffer was empty
  std::uint64_t lost_pending[EVT_LOST_CAUSES];  // not in the file yet; atomic for the signal handler's sake
  std::uint64_t lost_ticks;                     // when the latest of them was lost
  std::uint64_t lost_total;
  std::uint64_t texts_cut;
  bool failed;  // its session's sink: what was in the making is lost

  std::uint8_t* rows() const { return block + EVT_EVENTS_HEADER_SIZE; }
};

inline StreamState* state_of(evt_stream* stream) { return reinterpret_cast<StreamState*>(stream); }
inline const StreamState* state_of(const evt_stream* stream) { return reinterpret_cast<const StreamState*>(stream); }

// Adds a stream to a session; null when there is no memory, or the id is taken. Takes the writer's lock.
StreamState* add_stream(evt_writer* writer, const evt_stream_info& info, evt_error* error);

// Writes what the stream holds as one block and empties it; false when the session has ended. A row in progress keeps
// its place and bytes. REQUIRES: lock held, and called by the producer or with the producer kept out.
enum class Row { kNone, kInProgress };
bool flush_locked(StreamState& stream, Row row);
// The same by the producer, who does not hold the lock.
bool flush(StreamState& stream, Row row);
// Writes one row that stands outside the buffer, behind room for the header and a time base and before room for
// padding, as a block of its own. REQUIRES: lock held, the buffer flushed.
bool write_lone_row(StreamState& stream, std::uint8_t* row, std::size_t size, std::uint64_t ticks);

// Makes `ticks` expressible as a distance from the base: a new base, said by a row where the buffer is not empty.
// REQUIRES: called by the producer, with room for that row.
void set_base(StreamState& stream, std::uint64_t ticks);
void put_time_base(StreamState& stream, std::uint64_t ticks, std::uint32_t flags);
constexpr std::size_t kTimeBaseRow = EVT_ROW_HEADER_SIZE + EVT_TIME_BASE_PAYLOAD;

// Kept free at the end of a buffer for the rows that tell of losses.
constexpr std::size_t kLostRow = EVT_ROW_HEADER_SIZE + EVT_LOST_PAYLOAD;
constexpr std::size_t kLostRoom = (EVT_LOST_CAUSES - 1) * (kLostRow + kTimeBaseRow);

// Says in the stream that so many events were lost. REQUIRES: lock held, room for the row and a time base before it.
void append_lost_row(StreamState& stream, std::uint16_t cause, std::uint64_t count, std::uint64_t ticks);
void count_lost(StreamState& stream, evt_lost_cause cause, std::uint64_t ticks);
void seal_thread_stream(void* stream);  // the destructor of each writer's key

// Holds a writer's lock. Afterwards, when nothing is locked any more, tells the caller of a write that failed
// meanwhile.
class Lock {
 public:
  explicit Lock(evt_writer& writer);
  ~Lock();
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  // True in a signal handler that interrupted a thread inside the library: to lock again would be to wait for oneself.
  static bool held_by_this_thread();

 private:
  evt_writer& writer_;
};

// Gives back what the session holds of the system. REQUIRES: lock held.
void end_session(evt_writer& writer, evt_error* error);

}  // namespace evt

// One session. Never freed, so that its handles stay valid; what it holds is given back by close.
struct evt_writer {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;  // guards all below but `clock`, which is set once at open
  evt::Clock clock;
  evt::BlockOutput output;
  evt::MetadataLog metadata;
  evt::TypeTable types;
  evt::StringTable strings;
  evt::StreamState* streams = nullptr;
  std::uint32_t next_stream_id = 1;
  std::uint32_t buffer_size = 0;
  pid_t pid = 0;  // of the process that opened: a fork child must not write into its parent's file
  bool closing = false;
  bool closed = false;
  bool has_thread_stream = false;
  pthread_key_t thread_stream = 0;

  bool told = false;  // of the first failed write, by on_error when the lock was given back, or by open
  void (*on_error)(void*, const evt_error*) = nullptr;
  void* on_error_context = nullptr;

  evt_counts counts = {};
  std::uint64_t rows_written = 0;
  std::uint64_t lost_written = 0;
  std::uint64_t synced_at_bytes = 0;
  std::uint64_t synced_at_ns = 0;
  std::uint64_t repeated_at_bytes = 0;

  bool ours() const;      // not a fork child's copy, in which the lock may be held by nobody that is there
  bool usable() const;    // open, in its own process, and no write has failed
  void session_failed();  // switches every stream off
  bool write_sync();
  bool write_housekeeping();  // before a block of events: pending metadata, repeats, SYNC when due

  evt_writer* next_writer = nullptr;
};
