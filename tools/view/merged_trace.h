// Traces that have one scale of time, as one trace.
#pragma once

#include <evt/trace.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/unlinked_file.h"

namespace evt::tools {

struct NamedTrace {
  Trace trace;
  std::string name;
};

// What evt merge makes of traces, in a temporary file that has no name.
class MergedTrace {
 public:
  // Reads all of them. An error as merge() has it, or if there is no room for it.
  static Result<MergedTrace> of(std::deque<NamedTrace>& traces);

  Trace& trace() { return *trace_; }
  // How each part came onto the scale of the first; many that came alike are one sentence.
  const std::vector<std::string>& alignments() const { return alignments_; }
  // What is missing of the traces, each with its name in front, and what is not as one would expect.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  MergedTrace(UnlinkedFile file, Trace trace)
      : file_(std::make_unique<UnlinkedFile>(std::move(file))), trace_(std::make_unique<Trace>(std::move(trace))) {}

  std::unique_ptr<UnlinkedFile> file_;
  std::unique_ptr<Trace> trace_;  // of the file
  std::vector<std::string> alignments_;
  std::vector<std::string> notes_;
};

}  // namespace evt::tools
