// Numbers of processes, threads and cpus, for other programs' formats: those of the system if the trace has them, and
// others for what the system does not know. For one file, so no number is given twice.
#pragma once

#include <evt/session.h>
#include <evt/timeline.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "picture_format.h"

namespace evt {

// The name, in files of other programs, of the process that something belongs to: a part of a merged session; if `part`
// is none, the program.
inline std::string part_name(const Session& session, std::uint32_t part) {
  if (part < session.parts.size()) return session.part_name(part);
  return !session.program.empty() ? session.program : "session";
}

class SystemNumbers {
 public:
  struct NamedTrack {
    PictureTrack track;
    std::string name;
  };

  // The rest is of this session, whose timeline must outlive it.
  void begin_session(Timeline& timeline);

  // The process of a part of a merged session; kNone: of the session.
  std::int64_t process(std::uint32_t part);
  // A process that the system does not have, by its name.
  std::int64_t own_process(std::string_view name);
  const std::string& process_name(std::int64_t process) const { return process_names_.at(process); }
  // By its index in Actors. `is_new`: this is the first request since it was forgotten.
  PictureTrack thread(std::uint32_t thread, bool* is_new);
  // Its name at this moment.
  std::string thread_name(std::uint32_t thread) const;
  std::int64_t cpu(std::uint32_t cpu);

  // Threads that have a number, with their present names.
  std::vector<NamedTrack> threads() const;
  // The index will belong to another thread; returns the old one, if it has a number.
  std::optional<NamedTrack> forget(std::uint32_t thread);

 private:
  std::uint32_t part_of(const Actor& actor) const;
  std::int64_t system_number(const Actor& actor) const;

  Timeline* timeline_ = nullptr;
  std::set<std::int64_t> processes_;  // in the file
  std::map<std::int64_t, std::string> process_names_;
  std::set<std::int64_t> threads_;
  std::set<std::int64_t> cpus_;
  std::map<std::string, std::int64_t, std::less<>> own_processes_;
  // The session's.
  bool threads_are_of_boot_ = false;
  std::set<std::pair<std::uint32_t, std::uint64_t>> system_threads_;  // by part
  std::map<std::uint64_t, std::uint32_t> part_of_thread_;             // for each of these numbers, the first part
  std::map<std::uint32_t, std::int64_t> process_of_;
  std::vector<std::optional<PictureTrack>> thread_of_;  // by index; kOthers is in others_
  std::optional<PictureTrack> others_;
  std::map<std::uint32_t, std::int64_t> cpu_of_;
};

}  // namespace evt
