// The state behind evt_stream, and who may touch what.
#pragma once

#include <evt/emit.h>

#include "format-spec/src/row/row_writer.h"
#include "rows.h"
#include "slot.h"

namespace evt {

struct alignas(64) StreamState {
  evt_stream hot;  // the producer's; first, so that the two pointers convert into each other
  evt_writer* writer;
  StreamState* next;          // in the writer's list
  StreamState* next_retired;  // in the list of those to be used again

  // The producer's.
  SlotState* slot;             // being filled; null: none could be had, or none is needed yet
  std::uint64_t next_ordinal;  // of the first row of the next slot
  std::uint64_t lost_total;    // that LOST rows tell of
  std::uint8_t* overflow;      // an event that does not fit: a block of its own, in mapped memory
  std::size_t overflow_size;
  std::uint32_t id;
  std::uint8_t size_class;  // of the next slot
  bool jump_pending;        // the next event steps back in time and means it
  bool has_waited;          // in vain, and not had a slot since
  bool sealed;
  std::uint8_t destructor_rounds;
  bool of_thread;  // made by evt_this_thread: used again when its thread has ended

  ring::StreamRecord* losses;  // of the ring, or `own_losses`; counted by signal handlers too, so atomic
  ring::StreamRecord own_losses;
  std::uint64_t texts_cut;
  std::uint32_t in_flight;  // slots handed over and not written yet; atomic
  std::uint32_t own_blocks_in_flight;

  // Who it is; set when it is opened, guarded by the writer's lock.
  char* name;
  std::uint64_t thread;
  std::uint64_t process;

  // Of whoever writes the trace.
  std::uint32_t blocks_written;
  std::uint64_t rows_written;
  std::uint64_t lost_written;
  bool gathered;  // rows of it wait to be written together with others'
  std::uint64_t first_ticks;
  std::uint64_t last_ticks;
};

inline StreamState* state_of(evt_stream* stream) { return reinterpret_cast<StreamState*>(stream); }
inline const StreamState* state_of(const evt_stream* stream) { return reinterpret_cast<const StreamState*>(stream); }

// Adds a stream to a session; null when there is no memory, or the id is taken. Takes the writer's lock.
StreamState* add_stream(evt_writer* writer, const evt_stream_info& info, bool of_thread, evt_error* error);
void seal_thread_stream(void* stream);  // the destructor of each writer's key

// --- Of the producer, busy being set.

// Kept free at the end of a slot for the rows that tell of losses.
constexpr std::size_t kLostRoom = (EVT_LOST_CAUSES - 1) * (RowWriter::kLostSize + RowWriter::kTimeBaseSize);

inline bool is_off(const StreamState& stream) {
  return __atomic_load_n(&stream.hot.limit, __ATOMIC_RELAXED) == nullptr;
}
inline std::ptrdiff_t room_in(const StreamState& stream) {
  return __atomic_load_n(&stream.hot.limit, __ATOMIC_RELAXED) - stream.hot.cursor;
}

// A slot with room for so many bytes of rows, the one in use being handed over; false when none can be had, and then
// the event that wanted it is lost and counted. `ticks`: when, or kNow.
constexpr std::uint64_t kNow = UINT64_MAX;
bool make_room(StreamState& stream, std::size_t room, std::uint64_t ticks);
// The same without counting a loss.
bool get_slot(StreamState& stream, std::size_t room, bool may_wait_for_it);
// Without waiting, without handing over; null when there is none.
SlotState* take_slot(StreamState& stream, std::size_t room);
// `slot`, empty, becomes the one that is filled.
void begin_slot(StreamState& stream, SlotState* slot);
// The stream's next slot is larger, where the ring has room for that.
void grow_next_slot(StreamState& stream);
// Where the cursor and limit of a stream that has no slot point to: an event finds no room, and asks.
std::uint8_t* no_slot();
// The next event goes the slow way, whatever room there is.
void want_slow_path(StreamState& stream);
// Gives the slot in use to whoever writes the trace. The next event finds no room.
void hand_over(StreamState& stream, bool last);
void hand_over(StreamState& stream, SlotState* slot);
// Waits until all that was handed over has been written, or cannot be.
bool wait_until_written(StreamState& stream);
bool wait_until_written(evt_writer& writer, std::uint64_t wish);
// Waits, as long as the options say, until no event that is a block of its own is on its way; false if one still is.
bool wait_for_own_blocks(StreamState& stream);

// Makes `ticks` expressible as a distance from the base: a new base, said by a row where the slot is not empty.
void set_base(StreamState& stream, std::uint64_t ticks);
// Takes the row that was stored at the cursor among the finished ones.
void commit_row(StreamState& stream, std::size_t size);
// Says in the slot what was lost and not told yet. REQUIRES: a slot, with kLostRoom left behind the cursor.
void tell_losses(StreamState& stream);
void append_lost_row(StreamState& stream, std::uint16_t cause, std::uint64_t count, std::uint64_t ticks);
// Where causes that this version does not know are counted.
constexpr std::uint16_t known_cause(std::uint16_t cause) { return cause < EVT_LOST_CAUSES ? cause : 0; }
void count_lost(StreamState& stream, evt_lost_cause cause, std::uint64_t ticks);

// Keeps the producer's own signal handlers from emitting while it works on its slot.
class Busy {
 public:
  explicit Busy(StreamState& stream) : busy_(stream.hot.busy), nested_(__atomic_load_n(&busy_, __ATOMIC_RELAXED) != 0) {
    if (nested_) return;
    __atomic_store_n(&busy_, 1, __ATOMIC_RELAXED);
    EVT_SIGNAL_FENCE_();
  }
  ~Busy() {
    if (nested_) return;
    EVT_SIGNAL_FENCE_();
    __atomic_store_n(&busy_, 0, __ATOMIC_RELEASE);
  }
  // This is a signal handler that interrupted the producer in the middle of an event: hands off.
  bool nested() const { return nested_; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::uint8_t& busy_;
  bool nested_;
};

// --- Where there is no flusher: flush inline.

// Writes what the stream holds as one block and empties it; false when the session has ended. A row in progress keeps
// its place and bytes, and losses are told of behind it. REQUIRES: lock held.
enum class Row { kNone, kInProgress };
bool flush_locked(StreamState& stream, Row row);
// The same by the producer, who does not hold the lock.
bool flush(StreamState& stream, Row row);
// Gives back the memory of a stream's only slot.
void free_slot(SlotState* slot);

}  // namespace evt
