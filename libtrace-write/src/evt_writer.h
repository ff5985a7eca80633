// The session behind evt_writer: a recording with both ways of writing, of which open chooses one.
#pragma once

#include "given_structs.h"
#include "inline_backend.h"
#include "notices.h"
#include "recording.h"
#include "ring_backend.h"
#include "site_handles.h"

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
