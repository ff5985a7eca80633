// The sessions of a trace as CTF traces, one after another.
#pragma once

#include <optional>

#include "ctf_session.h"

namespace evt {

// Refers to the trace and the files.
class CtfSessions {
 public:
  CtfSessions(const Trace& trace, bool has_cpus, CtfFiles& files) : trace_(trace), has_cpus_(has_cpus), files_(files) {}

  // The converter for a session's events, after earlier ones have ended; null if they could not be written.
  CtfSession* go_to(const Session& session);
  // Ends the remaining ones, too. Returns false like CtfFiles::append().
  bool end();
  CtfDifferences& differences() { return differences_; }
  const CtfDifferences& differences() const { return differences_; }

 private:
  bool begin_next();

  const Trace& trace_;
  bool has_cpus_;
  CtfFiles& files_;
  CtfDifferences differences_;
  std::size_t next_ = 0;
  std::optional<CtfSession> session_;
};

}  // namespace evt
