// What was read of CTF traces -> a trace.
#pragma once

#include <evt/recode.h>

#include "ctf_events.h"
#include "libtrace-read/edit/src/trace_output.h"

namespace evt::ctf {

// One session, with a stream for each of theirs. The same files always make the same one.
class CtfSession {
 public:
  CtfSession(const std::string& name, CtfEvents& events);

  // Hands its bytes to `take`; kIo if that fails, or if the events cannot be read again.
  Status write(const TakeBytes& take);

 private:
  void add_session(const Session::Uuid& uuid);
  void add_streams();
  void add_strings();
  void put_rows();
  std::uint64_t ticks_of(std::int64_t ns) const;

  std::string name_;
  CtfEvents& events_;
  std::int64_t start_ns_;
  TraceOutput* out_ = nullptr;
};

}  // namespace evt::ctf
