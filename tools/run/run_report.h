// What evt run prints about a program that has ended: from the trace by analyses, and what the system counted.
#pragma once

#include <evt/trace.h>

#include <string>
#include <vector>

#include "base/table.h"
#include "libtrace-record/collect/recorded_run.h"

namespace evt::tools {

// REQUIRES: the run has ended; `merged`: what the trace was made of. All outlives this.
class RunReport {
 public:
  RunReport(Trace& trace, const record::RecordedRun& run, const record::MergedFolder& merged);

  // For people, below one another.
  const Table& facts() const { return facts_; }
  const std::vector<Table>& tables() const { return tables_; }
  // Sentences: what was not seen.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void analyze(Trace& trace);
  void add_facts();
  void add_coverage(std::uint64_t read, std::uint64_t written);
  void add_threads_without_switches();
  void add_losses(const Session& session, const std::vector<Loss>& losses);
  void add_unseen();
  void add_unrecorded_programs();
  void add_unhooked();

  const record::RecordedRun& run_;
  const record::MergedFolder& merged_;
  std::uint64_t elapsed_ns_;
  Table facts_;
  std::vector<Table> tables_;
  std::vector<std::string> notes_;
};

}  // namespace evt::tools
