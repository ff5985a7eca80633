// What the user of a session should know although it is not an error: kept for evt_writer_notices, and handed to the
// program.
#pragma once

#include <evt/evt.h>
#include <pthread.h>

#include <cstddef>
#include <cstdint>

namespace evt {

class Notices {
 public:
  // Where notices go that no function takes.
  enum class Printing : std::uint8_t { kOnTerminal, kAlways };

  Notices() = default;
  Notices(const Notices&) = delete;
  Notices& operator=(const Notices&) = delete;

  // Called by open, before another thread has the session.
  void choose(const evt_options& options, Printing printing);

  // --- Any thread.

  // Keeps a sentence, unless it is empty, or was kept before. Without memory it is only printed. An expected one is
  // printed only on terminals: another program may read the output of this one.
  void add(evt_notice_kind kind, const char* sentence, bool is_expected = false);
  // Delivers those that have not been yet. REQUIRES: this thread holds no lock of the session.
  void deliver();
  // See evt_writer_notices.
  std::size_t copy(char* out, std::size_t size) const;
  // For a session that could not be opened.
  void release();

 private:
  struct Kept {
    evt_notice_kind kind;
    char sentence[sizeof evt_error::message];
    bool is_expected;
  };

  bool next(Kept* out);
  void hand_over(const Kept& kept) const;

  mutable pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  Kept* kept_ = nullptr;
  std::size_t count_ = 0;
  std::size_t delivered_ = 0;
  void (*function_)(void*, const evt_notice*) = nullptr;
  void* context_ = nullptr;
  bool prints_always_ = false;
};

}  // namespace evt
