// Rows that go through a ring: producers fill its slots and hand them over, the flusher writes them. Nothing that a
// producer does here takes the session's lock or uses the heap, so that signal handlers may record.
#pragma once

#include "backend.h"
#include "flusher.h"
#include "recording.h"
#include "ring.h"

namespace evt {

class RingBackend final : public Backend {
 public:
  explicit RingBackend(Recording& recording) : recording_(recording), flusher_(recording, ring_) {}

  // Called before the session begins: makes a ring in this folder under this name, or without one in private memory;
  // false, with the reason in errno, if that fails. `compacts`: writing blocks takes longer.
  void begin_small() { ring_.begin_small(); }
  bool open(const char* folder, const char* name, std::uint64_t max_size, bool compacts);
  // Makes the thread that writes the trace, which waits for start(); false, with the reason in errno, if there is none.
  bool make_thread();
  // Continues the session in a new file at this absolute path, once all that was recorded so far is in the one before.
  // Returns false if that is not possible: it then continues in the old file.
  bool begin_segment(const char* path);
  Flusher& flusher() { return flusher_; }
  const char* ring_path() { return ring_.memory().path(); }
  // In a fork child.
  void leave_to_parent() { ring_.memory().detach(); }

  bool make_room(StreamState& stream, std::size_t room, std::uint64_t ticks) override;
  bool get_room(StreamState& stream, std::size_t room) override;
  Moved move_row(StreamState& stream, evt_row* row, std::size_t payload, std::size_t room,
                 std::uint64_t ticks) override;
  void write_overflow(StreamState& stream, evt_row row, std::size_t payload, std::uint64_t ticks) override;
  void flush(StreamState& stream) override;
  bool begin_block(StreamState& stream) override;
  void record_tracing(StreamState& stream, std::uint64_t ticks) override;
  void seal(StreamState& stream) override;

  bool begin_stream(StreamState& stream) override;
  bool publish_metadata() override;
  void set_output() override;
  void start() override;
  void give_up() override { flusher_.stop(); }
  void flush_all() override;
  void look_at_clock() override { flusher_.wake(true); }
  void close(bool with_end) override;
  std::uint64_t release() override;

 private:
  SlotState* take_slot(StreamState& stream, std::size_t room);
  SlotState* slot_of_growth(StreamState& stream, std::size_t room);
  SlotState* wait_for_slot(StreamState& stream, std::size_t room);
  void add_lacking_slots(unsigned size_class);
  void grow_next_slot(StreamState& stream);
  void hand_over(StreamState& stream);
  void hand_over(SlotState* slot);
  bool record_last(StreamState& stream);
  bool put_into_slot(StreamState& stream, evt_row* row, std::size_t payload, std::uint64_t ticks);
  bool may_wait() const;
  template <typename Done>
  bool wait_for(std::uint64_t max_ms, Done done);
  bool wait_for_own_blocks(const StreamState& stream);
  void write_all();
  bool close_streams();
  void close_busy_streams();
  bool wait_for_growth();
  void unmap_ring();

  Recording& recording_;
  Ring ring_;
  Flusher flusher_;
  bool all_idle_ = true;  // set when the session was closed: no producer touches the ring any more
};

}  // namespace evt
