// What a subcommand reports on standard error, and the exit status that goes with it.
#pragma once

#include <evt/trace.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trace_sentences.h"

namespace evt::tools {

enum Exit : int {
  kExitOk = 0,  // all that was written was read; counted losses are named
  // Answered, but the file is damaged or truncated, or the answer is no; or a file of its size is not worth the memory.
  kExitPartly = 1,
  kExitUsage = 2,    // the command line makes no sense
  kExitNoAnswer = 3  // cannot open, empty, not a trace, newer format, cannot write, no memory
};

// Messages of one subcommand: `evt dump: ...`.
class Report {
 public:
  explicit Report(std::string command) : command_(std::move(command)) {}

  // From here on say() prints nothing, in the whole process; errors are printed.
  static void be_quiet();
  static bool is_quiet();

  // What is worth a note, and what the exit status has.
  void say(const std::string& sentence) const;
  // Prints, once, that texts in tables on the terminal were shortened, if any was.
  void say_if_shortened() const;
  // Of what was asked for and is not there; returns kExitPartly if there are such sentences, else kExitOk.
  int say_missing(const std::vector<std::string>& sentences) const;
  // Prints the sentence; returns kExitUsage.
  int usage(const std::string& sentence) const;
  // Prints the sentence; returns kExitNoAnswer.
  int no_answer(const Status& status) const;
  // What no_answer() prints, for one that prints it later.
  std::string error_line(const std::string& sentence) const { return line(sentence, true); }

  // Counts the times in its fields that are not known.
  void count_unknown_times(const Event& event) { unknown_times_.add(event); }
  const UnknownTimes& unknown_times() const { return unknown_times_; }
  // Before another trace is read, which may have the same session.
  void forget_unknown_times() { unknown_times_ = {}; }
  // Sentences about what of this trace, a folder, could not be read: in place of those that were set before.
  void set_unread(const std::string& name, std::vector<std::string> sentences) { unread_[name] = std::move(sentences); }
  const std::vector<std::string>& unread(const std::string& name) const;
  // Prints that what was made of the trace lacks blocks, if it does: see left_out_sentence().
  void say_left_out(const std::string& name, const Trace& trace, bool keeps_copyable) const;
  // Standard output states how each session ended, and whether something of it was lost then.
  void shows_ends() { shows_ends_ = true; }
  // Prints what of the trace could not be read, and what trace_sentences() has of it; returns the exit status.
  int finish(const std::string& name, const Trace& trace) const;

 private:
  std::string line(const std::string& sentence, bool is_error) const;
  void print(const std::string& sentence, bool is_error) const;

  std::string command_;
  UnknownTimes unknown_times_;
  bool shows_ends_ = false;
  std::map<std::string, std::vector<std::string>> unread_;  // by the name of the trace
};

}  // namespace evt::tools
