// The session behind evt_writer: a recording with both ways of writing, of which open chooses one.
#pragma once

#include <evt/trace_site.h>

#include "given_structs.h"
#include "inline_backend.h"
#include "notices.h"
#include "recording.h"
#include "ring_backend.h"

namespace evt {

// What the places of a program that record by <evt/trace_macros.h> refer to in one session. Guarded by its lock.
class SiteHandles {
 public:
  // One for each type, however many places record it. Never freed: a place may be that of a library that is unloaded,
  // and others refer to it. Null without memory.
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

  // False when no such ring can be had, and errno is why not; then rows are written inline.
  // The ring grows with what streams fill. Before it is used.
  void begin_small() { ring_.begin_small(); }
  bool use_ring(const char* folder, const char* name, std::uint64_t max_size, bool compacts);
  // The thread that writes what is in the ring; false, and errno is why, when there is none. Then rows are written
  // inline.
  bool make_thread();

  // RingBackend::begin_segment(); false without a ring.
  bool begin_segment(const char* path);

  // Only a session that a thread writes can go on in another file. Null: it has one.
  evt::Rotation* rotation() { return ring_.flusher().rotation(); }
  evt::Rotation* make_rotation() { return ring_.flusher().make_rotation(); }
  bool has_thread() { return &backend() == &ring_; }

  // Registers the session, for ever: handles stay valid after close, and a fork child switches all of them off.
  void remember();
  // Of one that could not be opened.
  void forget();

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
  evt::Notices notices_;
  evt::SiteHandles site_handles_;
};

namespace evt {

// As evt_open, with notices printed in any case: for the user of a program, not for the program.
evt_writer* open_for_user(const char* path, const evt_options& options, evt_error* error);
// Seals the thread's stream: what the session's thread key calls when a thread ends.
void seal_thread_stream(void* stream);

}  // namespace evt
