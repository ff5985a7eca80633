// The traces that subcommands are given: which there may be, which files are one trace, and how they are opened.
#pragma once

#include <evt/follow.h>
#include <evt/status.h>
#include <evt/trace.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/report.h"
#include "input/program_trace.h"

namespace evt::tools {

// The folder of sessions that evt run leaves, which is a trace.
bool is_trace_folder(const std::string& path);
struct OpenedFolder {
  int descriptor = -1;                // the caller's, at the front
  std::vector<std::string> problems;  // sentences: what of the folder could not be read
};
// What is in it as one trace, in a temporary file that has no name. Errors as merge_folder() has them, or if there is
// no room.
Result<OpenedFolder> open_trace_folder(const std::string& path);

// What a command reads as one trace: a file, or the segments of a session, which are a file each, or what a program
// writes.
struct TraceInput {
  std::vector<std::string> files;  // as the command line has them; "-" is standard input
  // For pid:1234 or a session, which files.front() is: the trace, or why there is none.
  std::optional<Result<ProgramTrace>> program{};

  const std::string& first() const { return files.front(); }
  bool is_one_file() const { return files.size() == 1 && !program; }
  // `files`, and in place of the name of a program the files that it writes.
  std::vector<std::string> paths() const { return program && *program ? (*program)->files() : files; }
  // As messages call it.
  std::string name() const;
};

// Files that are segments of one session are one trace, in whatever order they are named; each other file is one, and
// so is each name of a program.
std::vector<TraceInput> trace_inputs(const std::vector<std::string>& files);
TraceInput trace_input(const std::string& file);

// For what is made of all of a trace: what it cannot show of the trace is reported now, or never. Believes no index.
inline constexpr ReadOptions kReadWhole = {.use_index = false, .check_index = true};

// How they are opened.
class Reading {
 public:
  bool no_rings = false;  // files alone

  // The caller's options, and what the user asked for.
  ReadOptions with(ReadOptions options = {}) const;
  // "-" is standard input. A folder with the sessions of evt run is one trace; what of it could not be read is for the
  // report's finish().
  Result<Trace> open(const TraceInput& input, Report& report, const ReadOptions& options = {}) const;
  // As messages call the file.
  static std::string name_of(const std::string& file) { return TraceInput{{file}}.name(); }
};

// Follows the trace from its first file on; "-" is standard input. Errors: of the name of a program that is not there,
// and as Follow::open() has them. REQUIRES: it is no folder of evt run.
Result<Follow> follow(const TraceInput& input, const FollowOptions& options);

struct OpenedTrace {
  std::string name;  // as messages call it
  Trace trace;
};

// Those that can be opened, in their order; of the others the reason is reported, and `status` becomes what it is then.
std::vector<OpenedTrace> open_traces(const std::vector<TraceInput>& inputs, const Reading& reading, Report& report,
                                     int* status, const ReadOptions& options = {});
std::vector<const Trace*> traces_of(const std::vector<OpenedTrace>& opened);

// Which of several traces hold a session of another.
class SeenSessions {
 public:
  // The name of a trace that was added before and has a session of this one, too; null: there is none. Until the next.
  const std::string* add(const Trace& trace, const std::string& name) {
    const std::size_t number = names_.size();
    names_.push_back(name);
    const std::string* other = nullptr;
    for (const Session& session : trace.sessions()) {
      const std::size_t first = first_.try_emplace(session.uuid, number).first->second;
      if (first != number) other = &names_[first];
    }
    return other;
  }

 private:
  std::vector<std::string> names_;
  std::map<Session::Uuid, std::size_t> first_;  // the trace that had it first
};

// An error if the output is one of the inputs, by whatever name or link, as it would be replaced before, or after, all
// of it was read; and if standard input is read twice. "-" is standard input among the inputs, and standard output as
// the output.
Status check_files(const std::vector<std::string>& inputs, const std::string& output);

}  // namespace evt::tools
