// Which rows of a merged session belong together: those of a process, or of another part; and last those of recording.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/timeline.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "losses.h"

namespace evt::view {

struct RowGroup {
  std::string title;
  bool is_process = false;   // that evt run recorded, with all the programs that it became
  bool is_recorder = false;  // what recording did itself: closed at first, and in no picture
};

// Of an ordinary session there are none. Processes of evt run that have no part are met as their events come. Refers to
// the session.
class RowGroups {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;  // what is of all: cpus of the machine, counters of no part

  explicit RowGroups(const Session& session);

  // Each item of kind kRow, in order.
  void take(const TimelineItem& item) {
    if (has_processes_) take_process(*item.event);
  }
  // By their numbers, which stay the same.
  const std::vector<RowGroup>& all() const { return groups_; }
  // The one with the lower place comes first.
  std::uint32_t place_of(std::uint32_t group) const;
  std::uint32_t of_part(std::uint32_t part) const { return part < by_part_.size() ? by_part_[part] : kNone; }
  // `streams` name it.
  std::uint32_t of_thread(const Actor& thread, const StreamSet& streams) const;
  std::uint32_t of_recorder() const { return recorder_; }
  bool is_process(std::uint32_t group) const { return group < groups_.size() && groups_[group].is_process; }
  // Whether evt run recorded the part.
  bool is_of_run(std::uint32_t part) const { return is_process(of_part(part)) || is_of_recorder(part); }
  // By which parts of one machine are known, if the trace states it; else empty.
  std::string machine_of(std::uint32_t part) const;
  // Whether numbers of threads, or of cpus, are those of the system.
  bool has_system_threads() const { return has_system_threads_; }
  bool has_system_cpus() const { return has_system_cpus_; }

 private:
  using Number = std::pair<std::uint32_t, std::uint64_t>;  // of a thread or process, on one of machines_
  struct Process {
    std::uint32_t group = kNone;
    std::string title{};   // by its parts, if it has some
    std::string began{};   // the program that it began with, as far as events state it
    std::string became{};  // its latest
  };

  void take_process(const RoleEvent& event);
  Process& process_at(const Number& number);
  static std::string title_of(const Process& process, std::uint64_t number);
  Number on_machine(std::uint32_t part, std::uint64_t number) const {
    return {part < machines_.size() ? machines_[part] : kNone, number};
  }
  // Of the process that has such a thread.
  std::uint32_t of_number(const Number& thread) const;
  std::string title_of(const std::vector<std::uint32_t>& parts) const;
  bool is_of_recorder(std::uint32_t part) const { return part < by_part_.size() && by_part_[part] == of_recorder(); }

  const Session* session_;
  std::vector<RowGroup> groups_;
  std::vector<std::uint32_t> by_part_;
  std::vector<std::uint32_t> stream_parts_;                         // by the places of streams
  std::set<std::pair<std::uint32_t, std::uint64_t>> with_streams_;  // threads: part and number
  std::vector<std::uint32_t> machines_;                             // by parts
  std::map<Number, Process> processes_;
  std::map<Number, std::uint64_t> processes_of_threads_;  // but for each process's first
  std::uint32_t recorder_ = kNone;                        // its place; that of other threads is before it
  bool has_system_threads_ = false;
  bool has_system_cpus_ = false;
  bool has_processes_ = false;  // events state some
};

}  // namespace evt::view
