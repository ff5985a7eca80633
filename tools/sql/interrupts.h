// Ctrl-C while a shell is there: it ends what is computed, and not the program.
#pragma once

#include <thread>

#include "sql/database.h"

namespace evt::tools {

// One at a time in a program.
class Interrupts {
 public:
  // Refers to the database.
  explicit Interrupts(const Database& database);
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();  // what the signal did before, it does again

  // Becomes readable with one.
  int descriptor() const { return event_; }
  // Whether there was one since the last call.
  bool take();

 private:
  int event_;
  std::thread waiting_;  // DuckDB's function is not for handlers of signals
};

}  // namespace evt::tools
