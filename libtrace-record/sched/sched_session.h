// What evt run records from outside about the programs that it runs: which thread runs on which cpu, and which
// processes exist. A separate session, which survives them.
#pragma once

#include <evt/emit.h>
#include <evt/status.h>

#include <map>
#include <string>
#include <vector>

#include "clock_time.h"
#include "switch_records.h"
#include "thread_clocks.h"

namespace evt::record {

// How many files a session has, and how large they are: members of evt_options with these names.
struct SessionBudget {
  std::uint64_t rotate_bytes = 0;
  std::uint64_t rotate_ns = 0;
  std::uint64_t keep_bytes = 0;
  std::uint64_t keep_ns = 0;
  std::uint64_t flight_bytes = 0;
  std::uint64_t flight_ns = 0;

  bool is_bounded() const { return (rotate_bytes | rotate_ns | keep_bytes | keep_ns | flight_bytes | flight_ns) != 0; }
  // The limit for all files together; 0: none.
  std::uint64_t bytes() const { return flight_bytes != 0 ? flight_bytes : keep_bytes; }
};

class SchedSession {
 public:
  SchedSession() = default;
  SchedSession(const SchedSession&) = delete;
  SchedSession& operator=(const SchedSession&) = delete;
  ~SchedSession();

  // Opens it at `path`, as evt_open has it. An error of the session itself; that scheduling cannot be recorded is none:
  // refusal() has why.
  Status open(const std::string& path, const SessionBudget& budget, pid_t pid, bool with_scheduling);
  const std::string& refusal() const { return refusal_; }
  bool has_scheduling() const { return scheduling_; }
  // For other events that are seen from outside; until close().
  evt_writer* writer() const { return writer_; }
  // Records what is available, except the latest, which may be the beginning of a stop. Call it often enough that no
  // ring of the kernel fills up. `is_stopped`: the first process is.
  void drain(bool is_stopped);
  // Narrows a stop that is over, seen from `began_ns` to `ended_ns` on CLOCK_MONOTONIC, to the time when the threads of
  // the first process did not run. REQUIRES: drain() was not called since the stop ended.
  void narrow_stop(std::int64_t* began_ns, std::int64_t* ended_ns);
  Status close();

  // A program that a process became.
  struct Program {
    std::uint64_t ns = 0;  // CLOCK_MONOTONIC
    std::string name;
  };

  // Processes besides the first; and the programs that each executed, in order, by its number.
  std::uint64_t children() const { return children_; }
  const std::map<std::uint32_t, std::vector<Program>>& programs() const { return programs_; }
  // Clocks of the threads of the first process if there is no scheduling.
  const ThreadClocks& clocks() const { return clocks_; }

 private:
  struct Cpu {
    evt_stream* stream = nullptr;
    std::uint32_t thread = 0;  // that runs; 0: none of these
    std::uint64_t since_ns = 0;
    std::uint64_t last_ticks = 0;
  };
  // The latest of a thread.
  struct Stop {
    std::uint64_t ns = 0;  // 0: not known
    bool waits = false;
  };
  struct Switches {
    std::uint64_t in_ns = 0;
    std::uint64_t out_ns = 0;
    Stop latest;  // by either kind of record
    Stop before;
  };

  void declare();
  void take(Cpu* cpu, unsigned number, const SwitchRecord& record);
  // Both take records cpu by cpu: one that is handed over later may be the earlier one.
  void keep_program(const SwitchRecord& record);
  void keep_stop(std::uint32_t thread, Stop stop);
  bool is_first(const SwitchRecord& record) const { return record.process == static_cast<std::uint32_t>(pid_); }
  void drain_until(std::uint64_t until_ns);
  void find_last_switches();
  void run(Cpu* cpu, unsigned number, std::uint32_t thread, std::uint64_t ticks);
  evt_stop_reason reason_of(const Cpu& cpu, const SwitchRecord& out);
  void stop(Cpu* cpu, std::uint16_t reason, std::uint64_t ticks);

  evt_writer* writer_ = nullptr;
  const evt_type* in_ = nullptr;
  const evt_type* out_ = nullptr;
  const evt_type* name_ = nullptr;
  const evt_type* process_ = nullptr;
  const evt_type* thread_ = nullptr;
  const evt_type* program_ = nullptr;
  bool scheduling_ = false;
  std::string refusal_;
  SwitchRecords records_;
  ThreadClocks clocks_;
  TickScale scale_;
  std::vector<Cpu> cpus_;
  std::map<std::uint32_t, Switches> last_switches_;  // by thread of the first process while it is stopped; else empty
  std::uint64_t last_out_ns_ = 0;                    // latest of them; 0: unknown
  std::map<std::uint32_t, Stop> last_stops_;         // by thread, from earlier drains
  pid_t pid_ = 0;
  std::uint64_t children_ = 0;
  std::map<std::uint32_t, std::vector<Program>> programs_;
};

}  // namespace evt::record
