// The state of an evt_stream, who may touch what, and how a producer fills its slot. Nothing here takes a lock or uses
// the heap, so that signal handlers may record.
#pragma once

#include <evt/emit.h>

#include "format-spec/src/row/row_writer.h"
#include "slot.h"

namespace evt {

class Recording;

// Time that tracing took from a producer and that no event records yet.
struct TracingTime {
  std::uint64_t ns;
  std::uint64_t ended_ticks;
  std::uint16_t clock_id;  // clock of ended_ticks
};

struct alignas(64) StreamState {
  evt_stream hot;             // the producer's; first, so that the two pointers convert into each other
  Recording* recording;       // null in a fork child, and in a stream that records nothing
  StreamState* next;          // in the session's list
  StreamState* next_retired;  // in the list of those to be reused

  // The producer's.
  SlotState* slot;  // being filled; null: none could be had, or none is needed yet; the flusher looks: atomic
  std::uint64_t next_ordinal;  // ordinal of the first row of the next slot
  std::uint64_t lost_total;    // recorded by LOST rows
  std::uint8_t* overflow;      // an event that does not fit: a separate block, in mapped memory
  std::size_t overflow_size;
  const bool* all_off;            // atomic: no stream of the session may record any more
  const std::uint16_t* clock_id;  // atomic: of rows from now on
  std::uint32_t id;
  std::uint8_t size_class;  // the next slot's
  bool jump_pending;        // the next event intentionally steps back in time
  bool has_waited;          // in vain, and has had no slot since
  bool sealed;
  bool thread_ended;  // and sealed it; atomic
  std::uint8_t destructor_rounds;
  bool of_thread;  // made by evt_this_thread

  ring::StreamRecord* losses;  // in the ring, or `own_losses`; counted by signal handlers too, so atomic
  ring::StreamRecord own_losses;
  std::uint64_t texts_cut;
  TracingTime tracing;  // the producer's
  std::uint32_t users;  // the number of its users: the producer, and each slot handed over and not written yet; atomic
  std::uint32_t own_blocks_in_flight;

  // Identity; set when it is opened, guarded by the session's lock.
  bool listed;  // in the session's list; also a state that is reused
  char* name;
  std::uint64_t thread;
  std::uint64_t process;

  // For the thread that writes the trace.
  std::uint32_t blocks_written;
  std::uint64_t rows_written;
  std::uint64_t lost_written;
  bool multiplexed;           // its rows wait to be written together with others'
  std::uint64_t first_ticks;  // its first row's in this segment of the session
  std::uint64_t last_ticks;
  std::uint64_t latest_ticks;  // since its last jump
  std::uint16_t latest_clock;
};

inline StreamState* state_of(evt_stream* stream) { return reinterpret_cast<StreamState*>(stream); }
inline const StreamState* state_of(const evt_stream* stream) { return reinterpret_cast<const StreamState*>(stream); }

// --- Of the producer, busy being set.

// Kept free at the end of a slot, for rows that record losses.
constexpr std::size_t kLostRoom = (EVT_LOST_CAUSES - 1) * (RowWriter::kLostSize + RowWriter::kTimeBaseSize);

// Returns when the flusher, which may be about to take an idle stream's slot, has decided: the stream's fields belong
// to the producer again.
void await_claim(const StreamState& stream);
// Null: it is off.
inline std::uint8_t* limit_of(const StreamState& stream) {
  std::uint8_t* const limit = __atomic_load_n(&stream.hot.limit, __ATOMIC_ACQUIRE);
  if (limit != nullptr) return limit;
  await_claim(stream);
  return __atomic_load_n(&stream.hot.limit, __ATOMIC_RELAXED);
}
inline bool is_off(const StreamState& stream) { return limit_of(stream) == nullptr; }
inline std::ptrdiff_t room_in(const StreamState& stream) {
  return __atomic_load_n(&stream.hot.limit, __ATOMIC_RELAXED) - stream.hot.cursor;
}
// The clock of rows from now on.
inline std::uint16_t clock_of(const StreamState& stream) { return __atomic_load_n(stream.clock_id, __ATOMIC_ACQUIRE); }
inline void switch_off(StreamState& stream) { __atomic_store_n(&stream.hot.limit, nullptr, __ATOMIC_RELAXED); }

// `slot`, empty, becomes the current one.
void begin_slot(StreamState& stream, SlotState* slot);
// Takes the slot from the stream, whose limit stays. Returns null if it has none.
SlotState* detach_slot(StreamState& stream);
// Switches the stream on, with room up to there, unless no stream of the session may record any more.
void open_room(StreamState& stream, std::uint8_t* limit);
// Empties a slot for the stream's next row. Its cursor stays.
void empty_slot(StreamState& stream, SlotState& slot);
// The cursor and limit of a stream without a slot point here: an event finds no room, and asks.
std::uint8_t* no_slot();
// Sends the next event the slow way, whatever room there is.
void want_slow_path(StreamState& stream);

// Makes `ticks` expressible as a distance from the base: a new base, recorded by a row if the slot is not empty.
void set_base(StreamState& stream, std::uint64_t ticks);
// Adds the row that was stored at the cursor to the finished ones.
void commit_row(StreamState& stream, std::size_t size);

// Records in the slot the losses that no row records yet. REQUIRES: a slot, with kLostRoom left after the cursor.
void record_losses(StreamState& stream);
bool has_unrecorded_losses(const StreamState& stream);
// Those from `first_ticks` to `last_ticks`.
void append_lost_row(StreamState& stream, std::uint16_t cause, std::uint64_t count, std::uint64_t first_ticks,
                     std::uint64_t last_ticks);
// Appends the last row of the stream. REQUIRES: EVT_ROW_ROOM_ left after the cursor.
void append_end_row(StreamState& stream, std::uint64_t ticks);
// The cause under which causes that this version does not know are counted.
constexpr std::uint16_t known_cause(std::uint16_t cause) { return cause < EVT_LOST_CAUSES ? cause : 0; }
// `ticks`: when, or kNow.
constexpr std::uint64_t kNow = UINT64_MAX;
void count_lost(StreamState& stream, evt_lost_cause cause, std::uint64_t ticks);
// As above for many; `cause` is known to this version. A signal handler may come in between: then the first time is
// earlier than it was, never later. The flusher counts here concurrently with the producer only if the output has
// failed, and then no row states the times.
void count_lost(StreamState& stream, std::uint16_t cause, std::uint64_t count, std::uint64_t first_ticks,
                std::uint64_t last_ticks);

// Counts an event that came while another one of the stream was being emitted: by a signal handler, or because that one
// was abandoned and is never finished. Only the end shows which.
void count_turned_away(StreamState& stream);
// The stream's latest event was abandoned: those refused since are lost after it. Returns how many.
std::uint64_t blame_unfinished_event(StreamState& stream);
// Records the losses of a stream whose producer is in the middle of an event, in an empty slot that it does not have.
// REQUIRES: all its finished rows are written.
void record_losses_beside(StreamState& stream, SlotState& slot);

// Keeps the producer's own signal handlers from emitting while it works on its slot.
class Busy {
 public:
  explicit Busy(StreamState& stream) : busy_(stream.hot.busy), nested_(__atomic_load_n(&busy_, __ATOMIC_RELAXED) != 0) {
    if (nested_) return;
    __atomic_store_n(&busy_, 1, __ATOMIC_RELAXED);
    EVT_SIGNAL_FENCE_();
    await_claim(stream);
  }
  ~Busy() {
    if (nested_) return;
    EVT_SIGNAL_FENCE_();
    __atomic_store_n(&busy_, 0, __ATOMIC_RELEASE);
  }
  // True in a signal handler that interrupted the producer in the middle of an event: it must not touch the stream.
  bool nested() const { return nested_; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::uint8_t& busy_;
  bool nested_;
};

}  // namespace evt
