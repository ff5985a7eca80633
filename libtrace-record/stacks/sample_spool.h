// Samples that programs take of themselves, by a signal and after long calls: memory that they fill and this process
// empties.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libtrace-record/recorded/sample_spool.h"
#include "sample_records.h"

namespace evt::record {

// Why samples are missing, of all programs together: numbers by the key of a fact (EVT_FACT_SAMPLES_HANDLED).
using SampleDoubts = std::map<std::string, std::uint64_t>;

class SampleSpool {
 public:
  SampleSpool();
  SampleSpool(const SampleSpool&) = delete;
  SampleSpool& operator=(const SampleSpool&) = delete;
  ~SampleSpool();

  // By which programs of this user can open it once it is open; empty: the system has no such memory.
  std::string path() const;
  struct Wanted {
    unsigned hz = 0;            // samples for each second of cpu time, or as many as the kernel has ticks; 0: none
    std::uint64_t wait_ns = 0;  // stacks of calls that take longer; 0: none
    bool code = false;          // programs send which code they have where
  };
  // An error with its sentence.
  Status open(const Wanted& wanted);
  // How many samples there is room for where so many cpus are busy.
  static std::uint32_t slots_for(std::size_t cpus);
  bool is_open() const { return spool_ != nullptr; }

  // Empties it, in the order of times. A process has all of its code again where some of it changed.
  void take(const SampleRecords::Changes& changes, const std::function<void(const StackCopy&)>& sample);
  // No code is known at an address. True: the process has mapped some since, of which `changes` was told.
  bool look_again(const StackCopy& copy, std::uint64_t address, const SampleRecords::Changes& changes);
  // Programs that go on are not sampled any more.
  void close();
  SampleDoubts doubts() const;

 private:
  struct Full {
    std::uint64_t ns;
    std::uint32_t kind;
    std::uint32_t slot;
    auto operator<=>(const Full&) const = default;
  };

  void read_slot(run_slot* slot, const SampleRecords::Changes& changes,
                 const std::function<void(const StackCopy&)>& sample);
  void free_if_abandoned(std::uint32_t index, const SampleRecords::Changes& changes);

  int descriptor_ = -1;
  std::uint32_t slots_;
  run_spool* spool_ = nullptr;
  std::uint64_t lost_ = 0;  // those that were told
  std::vector<Full> full_;
  std::vector<std::uint32_t> taken_for_;              // by slot: how often it was found taken
  std::unique_ptr<run_slot> copy_;                    // programs write into it meanwhile
  std::map<std::uint32_t, std::uint64_t> last_ns_;    // by cpu
  std::map<std::uint32_t, std::uint64_t> looked_ns_;  // by process: when it was looked for new code in vain
};

}  // namespace evt::record
