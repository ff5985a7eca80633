// Tells whether the threads of the program have all ended, so that only writers' own threads keep it alive.
#pragma once

#include <cstdint>

namespace evt {

// Name of the thread that writes a session's trace, in every copy of the writer.
inline constexpr char kFlusherName[] = "evt-flusher";

// Uses /proc. Used by one thread.
class ProgramThreads {
 public:
  // Costs a system call while the first thread, that of main(), lives; most programs end with it.
  bool have_ended();
  // The calling thread takes over name and blocked signals of the first one, and must return to the C library, which
  // ends the program with its last thread. Does not return if the first thread was the last one and ended without the C
  // library, by a system call or a signal: then the program ends in that way. REQUIRES: have_ended(), and the calling
  // thread is the only one.
  void end_last() const;

 private:
  std::uint64_t counted_ = 0;  // threads that the last look found
  std::uint64_t looked_at_ns_ = 0;
  bool first_was_last_ = true;
};

}  // namespace evt
