// A trace that is named by who writes it, and not by its file: pid:1234, or its session as evt list prints it,
// 0123456789abcdef. Found through the ring of the program.
#pragma once

#include <evt/rings.h>
#include <evt/trace.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace evt::tools {

class ProgramTrace {
 public:
  // True if a text is such a name, and no file is called so.
  static bool is_name(const std::string& text);
  // The number of the process if the text is pid:N, no file is called so, and the process runs.
  static std::optional<int> living(const std::string& text);
  // Looks at the rings on this machine. The newest session counts, of a process that runs before one that has ended.
  // Errors: kIo: there is none, or its file is not there. REQUIRES: is_name().
  static Result<ProgramTrace> find(const std::string& name);
  // The ring of that session, whatever its program writes to. REQUIRES: is_name().
  static Result<RingInfo> ring_of(const std::string& name);
  // The trace of a file, with the other segments of its session. REQUIRES: the file begins with this session, which is
  // not 0.
  static ProgramTrace of_file(const std::string& path, std::uint64_t session_id) { return {path, session_id, ""}; }

  const std::string& path() const { return path_; }  // of its present file
  std::uint64_t session_id() const { return session_id_; }
  // A sentence for the user; empty: there is none.
  const std::string& note() const { return note_; }

  // All files of the session that are there; at least path().
  std::vector<std::string> files() const;
  // The trace in them. If its writer goes on in another file meanwhile, or deletes one, it looks
  // again: the trace is whole, unless that goes on for long. Errors as Trace::open() has them.
  Result<Trace> open(const ReadOptions& options) const;

 private:
  ProgramTrace(std::string path, std::uint64_t session_id, std::string note)
      : path_(std::move(path)), session_id_(session_id), note_(std::move(note)) {}

  Result<Trace> open_files(const ReadOptions& options) const;
  bool goes_on(const Trace& trace) const;

  std::string path_;
  std::uint64_t session_id_;
  std::string note_;
};

}  // namespace evt::tools
