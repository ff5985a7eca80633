// The seam between what producers and the session ask for and the two ways in which rows are written: through a ring
// that a thread of the library empties, or by the producers themselves.
#pragma once

#include "stream_state.h"

namespace evt {

// What became of a row in progress that outgrew its slot.
enum class Moved : std::uint8_t {
  kYes,
  kNo,      // the session has ended, and the event is lost and counted
  kNoRoom,  // no slot is large enough, or free
};

// By itself it has room for nothing. No function of it is pure: in builds without optimization some compilers let those
// refer to the C++ runtime, which the writer links without.
class Backend {
 public:
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  // --- Of a stream's producer, busy being set. `ticks`: when, or kNow.

  // A slot with room for this many bytes of rows; false when none can be had, and then the event that wanted it is lost
  // and counted.
  virtual bool make_room(StreamState&, std::size_t, std::uint64_t /*ticks*/) { return false; }
  // The same without counting a loss.
  virtual bool get_room(StreamState&, std::size_t) { return false; }
  // Moves the row in progress, `payload` bytes so far, to the front of a slot with `room` for it.
  virtual Moved move_row(StreamState&, evt_row*, std::size_t /*payload*/, std::size_t /*room*/,
                         std::uint64_t /*ticks*/) {
    return Moved::kNoRoom;
  }
  // Writes the finished row that is in the stream's overflow, behind all rows before it.
  virtual void write_overflow(StreamState&, evt_row, std::size_t /*payload*/, std::uint64_t /*ticks*/) {}
  // All that the stream has recorded is in the trace afterwards, or cannot be.
  virtual void flush(StreamState&) {}
  // What the stream records next begins a block; false when the session has ended.
  virtual bool begin_block(StreamState&) { return false; }
  // What tracing took on the stream so far, in front of a row at `ticks` behind which there is nothing. There is room
  // for it.
  virtual void record_tracing(StreamState&, [[maybe_unused]] std::uint64_t ticks) {}
  // Writes what the stream holds and takes its buffer: it records nothing any more.
  virtual void seal(StreamState&) {}

  // --- Of the session.

  // The stream gets what it needs before its first event; false when there is no memory. REQUIRES: lock held.
  virtual bool begin_stream(StreamState&) { return false; }
  // Makes known what has been declared, before any id of it is returned; false when there is no room for it.
  // REQUIRES: lock held.
  virtual bool publish_metadata() { return true; }
  // The sink is open: a process that finds the trace after a kill knows it again.
  virtual void set_output() {}
  // The front of the trace is written: rows may follow.
  virtual void start() {}
  // The session could not be opened, and start() was not called.
  virtual void give_up() {}
  // All that was recorded by now is in the trace afterwards, or cannot be.
  virtual void flush_all() {}
  // A producer has seen the clock step back: the thread that writes the trace, if there is one, looks at it now. Any
  // signal handler.
  virtual void look_at_clock() {}
  // Keeps producers out, writes what streams still hold and, if asked to, the end of the session.
  virtual void close(bool /*with_end*/) {}
  // Releases memory, when the session has ended; how many rows stay in the ring because they could not be written.
  virtual std::uint64_t release() { return 0; }

 protected:
  Backend() = default;
  ~Backend() = default;
};

}  // namespace evt
