// SIGINT and SIGTERM as a descriptor that becomes readable. The second signal ends the program at once.
#pragma once

#include <signal.h>

#include "descriptor.h"

namespace evt::tools::http {

// One at a time in a program. A handler, not a blocked signal: threads that run already and programs that are started
// meanwhile have nothing of it.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();  // what the signals did before, they do again

  int descriptor() const { return event_.number(); }

 private:
  Descriptor event_;
  struct sigaction before_[2] = {};
};

}  // namespace evt::tools::http
