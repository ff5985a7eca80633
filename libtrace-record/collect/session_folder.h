// The folder into which all processes of a run write their sessions, and what becomes of it.
#pragma once

#include <evt/merge.h>
#include <evt/status.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace evt::record {

// What evt run itself sees from outside: the files of the folder whose names begin so.
inline constexpr const char* kRunSession = "evt-run";

struct MergedFolder {
  std::vector<std::string> files;  // that were merged
  // When sessions of programs began (CLOCK_MONOTONIC), by the system's number of the process.
  std::map<std::uint64_t, std::vector<std::int64_t>> begins;
  std::uint64_t not_kept = 0;         // rows of these, and of what was recorded from outside, that a budget had deleted
  std::size_t in_other_spaces = 0;    // sessions of programs that have other numbers than to this process
  std::uint64_t bytes = 0;            // that these wrote
  std::uint64_t own_reads = 0;        // bytes that recording read in these processes
  std::vector<std::string> living;    // files of programs that still run
  std::vector<std::string> problems;  // sentences: what could not be read
  std::vector<std::string> rings;     // of ended programs, that were read
  // Of hooked imports: `glob.N`, the pattern of that number has matched; `unhooked.imports`, there were too many;
  // `unhooked.code`, no memory for code could be had.
  std::set<std::string> notes;
};

// All traces of a folder -> one trace, with the session of the program that was started first. Each part is called
// PROGRAM.PID, by the last program that a process became. Rings stay. Errors: kIo: the folder cannot be read;
// kNotATrace: no trace is in it; those of merge().
Result<MergedFolder> merge_folder(const std::string& folder, const TakeBytes& take,
                                  const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = {});

// Removes what was merged, and the folder; false if other sessions are in it, of programs that have begun meanwhile.
bool remove_folder(const std::string& folder, const MergedFolder& merged);

// A folder with traces in it.
bool is_session_folder(const std::string& path);

}  // namespace evt::record
