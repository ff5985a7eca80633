// The interface between producers and the session on one side, and the two ways to write rows on the other: through a
// ring that a thread of the library empties, or by the producers themselves.
#pragma once

#include "stream_state.h"

namespace evt {

// Result of moving a row in progress that outgrew its slot.
enum class Moved : std::uint8_t {
  kYes,
  kNo,      // the session has ended, and the event is lost and counted
  kNoRoom,  // no slot is large enough, or free
};

// By default there is never room. No function is pure: in builds without optimization some compilers let those refer to
// the C++ runtime, which the writer does not link.
class Backend {
 public:
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  // --- Of a stream's producer, busy being set. `ticks`: when, or kNow.

  // Gets a slot with room for this many bytes of rows. Returns false if there is none; the event is then lost and
  // counted.
  virtual bool make_room(StreamState&, std::size_t, std::uint64_t /*ticks*/) { return false; }
  // Like make_room(), without counting a loss.
  virtual bool get_room(StreamState&, std::size_t) { return false; }
  // Moves the row in progress, `payload` bytes so far, to the front of a slot with `room` for it.
  virtual Moved move_row(StreamState&, evt_row*, std::size_t /*payload*/, std::size_t /*room*/,
                         std::uint64_t /*ticks*/) {
    return Moved::kNoRoom;
  }
  // Writes the finished row that is in the stream's overflow, after all rows before it.
  virtual void write_overflow(StreamState&, evt_row, std::size_t /*payload*/, std::uint64_t /*ticks*/) {}
  // Afterwards all that the stream has recorded is in the trace, or cannot be.
  virtual void flush(StreamState&) {}
  // Makes the stream's next row begin a block; false if the session has ended.
  virtual bool begin_block(StreamState&) { return false; }
  // Records the time that tracing took on the stream so far, before a row at `ticks`, the last one. There is room for
  // it.
  virtual void record_tracing(StreamState&, [[maybe_unused]] std::uint64_t ticks) {}
  // Writes what the stream holds and takes its buffer: it records nothing any more.
  virtual void seal(StreamState&) {}

  // --- Session.

  // Gives the stream what it needs before its first event; false if there is no memory. REQUIRES: lock held.
  virtual bool begin_stream(StreamState&) { return false; }
  // Publishes what has been declared, before any id of it is returned; false if there is no room for it. REQUIRES: lock
  // held.
  virtual bool publish_metadata() { return true; }
  // The sink is open: enables a process that finds the trace after a kill to recognise it.
  virtual void set_output() {}
  // The beginning of the trace is written: rows may follow.
  virtual void start() {}
  // The session could not be opened, and start() was not called.
  virtual void give_up() {}
  // Afterwards all that was recorded so far is in the trace, or cannot be.
  virtual void flush_all() {}
  // A producer has seen the clock step back: the thread that writes the trace, if there is one, looks at it now. Any
  // signal handler.
  virtual void look_at_clock() {}
  // Keeps producers out, writes what streams still hold and, if requested, the end of the session.
  virtual void close(bool /*with_end*/) {}
  // Releases memory after the session has ended. Returns the number of rows that stay in the ring because they could
  // not be written.
  virtual std::uint64_t release() { return 0; }

 protected:
  Backend() = default;
  ~Backend() = default;
};

}  // namespace evt
