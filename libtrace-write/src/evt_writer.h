// The session of an evt_writer: a recording with both ways of writing, of which open chooses one.
#pragma once

#include <evt/trace_site.h>

#include "given_structs.h"
#include "inline_backend.h"
#include "notices.h"
#include "recording.h"
#include "ring_backend.h"

namespace evt {

// Handles that the places of a program that record by <evt/trace_macros.h> refer to in one session. Guarded by its
// lock.
class SiteHandles {
 public:
  // One per type, however many places record it. Never freed: other places may still refer to the handle of an unloaded
  // library. Null without memory.
  const evt_site_handle_* find_or_add(const evt_site_handle_& wanted);

 private:
  struct Kept {
    evt_site_handle_ handle;
    Kept* next;
  };
  Kept* first_ = nullptr;
};

}  // namespace evt

struct evt_writer final : evt::Recording {
 public:
  evt_writer() : ring_(*this), inline_(*this) { use(inline_); }

  // Makes the ring start small and grow as streams fill it. Called before use_ring(), which returns false, with the
  // reason in errno, if there is no such ring; rows are then written inline.
  void begin_small() { ring_.begin_small(); }
  bool use_ring(const char* folder, const char* name, std::uint64_t max_size, bool compacts);
  // Makes the thread that writes what is in the ring; false, with the reason in errno, if there is none. Rows are then
  // written inline.
  bool make_thread();

  // RingBackend::begin_segment(); false without a ring.
  bool begin_segment(const char* path);

  evt::AutomaticSnapshots& snapshots() { return ring_.flusher().snapshots(); }
  // Asks the flusher for a snapshot; false if the session has no path for it. Any signal handler.
  bool request_snapshot();

  void choose_on_segment(const evt_options& options) { ring_.flusher().state_stream().choose(options, this); }
  // Only a session that a thread writes can continue in another file. Null: it has one.
  evt::Rotation* rotation() { return ring_.flusher().rotation(); }
  evt::Rotation* make_rotation() { return ring_.flusher().next_file().make_rotation(); }
  void end_rotation() { ring_.flusher().next_file().end_rotation(); }
  bool begin_beside_ring(evt_error* error) { return ring_.flusher().next_file().begin_beside_ring(error); }
  // Empty: it is not in shared memory.
  const char* ring_path() { return has_thread() ? ring_.ring_path() : ""; }
  bool has_thread() { return &backend() == &ring_; }

  // Registers the session, for ever: handles stay valid after close, and a fork child switches all of them off.
  void remember();
  // For a session that could not be opened.
  void forget();

  // The payload of SESSION for a snapshot, which gets a uuid of its own. Settled by open.
  evt::Buffer& session_of_snapshots() { return session_of_snapshots_; }

  evt::Notices& notices() { return notices_; }
  evt::SiteHandles& site_handles() { return site_handles_; }  // guarded by the lock
  // About a structure that this call was given. REQUIRES: the lock is not held.
  void report(const evt::GivenStructs& structs) {
    notices_.add(EVT_NOTICE_STRUCTURE, structs.left_out());
    notices_.deliver();
  }

 private:
  static void leave_to_parent();

  evt::RingBackend ring_;
  evt::InlineBackend inline_;
  evt_writer* next_ = nullptr;
  evt::Buffer session_of_snapshots_;
  evt::Notices notices_;
  evt::SiteHandles site_handles_;
};

namespace evt {

// Like evt_open, but always prints notices: for the user of a program, not for the program.
evt_writer* open_for_user(const char* path, const evt_options& options, evt_error* error);
// Seals the thread's stream. Called by the session's thread key when a thread ends.
void seal_thread_stream(void* stream);

}  // namespace evt
