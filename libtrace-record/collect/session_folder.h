// The folder into which all processes of a run write their sessions, and its merged trace.
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
  std::vector<std::string> files;  // merged files
  // When sessions of programs began (CLOCK_MONOTONIC), by the system's number of the process.
  std::map<std::uint64_t, std::vector<std::int64_t>> begins;
  std::uint64_t not_kept = 0;         // rows of these, and of what was recorded from outside, that a budget had deleted
  std::size_t in_other_spaces = 0;    // sessions of programs that have other numbers than to this process
  std::uint64_t bytes = 0;            // written by these
  std::uint64_t own_reads = 0;        // bytes that recording read in these processes
  std::vector<std::string> living;    // files of programs that still run
  std::vector<std::string> problems;  // sentences about what could not be read
  std::vector<std::string> rings;     // rings of ended programs, which were read
  // About hooked imports: `glob.N`, the pattern of that number has matched; `unhooked.imports`, there were too many;
  // `unhooked.code`, there was no memory for code.
  std::set<std::string> notes;
};

// Merges all traces of a folder into one, with the session of the program that was started first. Each part is called
// PROGRAM.PID, after the last program that a process executed. Rings stay. Errors: kIo: the folder cannot be read;
// kNotATrace: it contains no trace; those of merge().
Result<MergedFolder> merge_folder(const std::string& folder, const TakeBytes& take,
                                  const std::function<void(std::uint64_t done, std::uint64_t total)>& progress = {});

// Removes what was merged, and the folder; false if it contains other sessions, of programs that have begun meanwhile.
bool remove_folder(const std::string& folder, const MergedFolder& merged);

// A folder with traces in it.
bool is_session_folder(const std::string& path);

}  // namespace evt::record
