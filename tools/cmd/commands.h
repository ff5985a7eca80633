// The subcommands of evt, each in a source file of its name, and what a user asks of each. They return the exit status.
#pragma once

#include <evt/export/clickhouse_tables.h>
#include <evt/export/timeline_export.h>
#include <evt/merge.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/output_format.h"
#include "base/report.h"
#include "base/table.h"
#include "base/time_spec.h"
#include "collect/collect_limits.h"
#include "input/selection.h"
#include "input/trace_inputs.h"
#include "libtrace-record/collect/recorded_run.h"
#include "lines/event_form.h"
#include "stats/stats_output.h"
#include "view/browser_view.h"
#include "view/flame_graphs.h"
#include "view/row_choice.h"
#include "why/what_if.h"
#include "why/why_names.h"

namespace evt::tools {

struct CheckArguments {
  std::vector<std::string> files;
  std::string repaired;
  bool recover = false;
  std::string ring;  // the one to recover from; empty: those that name the file
  bool salvage = false;
  bool strict = false;
  bool json = false;
  bool json_safe = false;
  Reading reading;
};

struct ConvertArguments {
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string form;
  std::optional<OutputFormat> format;  // of the output, if its name or --format has it
  bool columns = false;
  bool rows = false;
  bool kernel_names = false;         // in CTF
  std::optional<PathWeight> weight;  // of stacks
  std::string table;                 // of which there are rows
  ClickHousePlace place;
  Selection selection;
  Reading reading;
};

struct CutArguments {
  std::string input;
  std::string output;
  Selection selection;
  Reading reading;
  std::vector<std::string> parts;  // patterns
  std::string every;
  bool columns = false;
  bool rows = false;
  bool no_state = false;
  bool anonymous = false;
  std::optional<std::uint64_t> split_size;
  std::optional<std::int64_t> split_every;
  std::string what;  // the options that leave something out
};

struct DumpArguments {
  std::vector<std::string> files;
  bool canonical = false;
  bool count = false;
  bool types = false;
  bool streams = false;
  bool header = false;
  bool follow = false;
  std::uint64_t limit = UINT64_MAX;
  std::uint64_t last = UINT64_MAX;
  EventForm form;
  Selection selection;
  Reading reading;

  bool has_last() const { return last != UINT64_MAX; }
};

struct GrepArguments {
  std::vector<std::string> files;
  std::vector<std::string> texts;
  std::vector<std::string> patterns;
  bool ignore_case = false;
  bool count = false;
  std::uint64_t context = 0;
  std::uint64_t first = UINT64_MAX;
  std::uint64_t last = UINT64_MAX;
  EventForm form;
  Selection selection;
  Reading reading;

  bool has_last() const { return last != UINT64_MAX; }
};

struct CollectArguments {
  std::string folder;
  std::string socket;  // its path; empty: standard input
  CollectLimits limits;
};

struct ListArguments {
  std::vector<std::string> names;  // empty: of all
  bool json = false;
  bool json_safe = false;
  bool remove = false;
  bool all = false;
};

struct SwitchArguments {
  std::string program;
  std::string glob;
  bool on = false;
};

struct MergeArguments {
  std::vector<std::string> files;
  std::string output;
  std::vector<std::pair<std::string, std::int64_t>> offsets;  // of files, ns
  std::vector<PairedEvents> sync_on;
  Reading reading;
};

struct RunArguments {
  record::RunWanted run;
  std::string all_calls;             // as it was given
  std::string count;                 // the same
  std::vector<std::string> reports;  // analyses in place of the screen
  bool json = false;
  bool anonymous = false;
  std::int64_t every_ns = 0;  // how often what was so far is printed; 0: never
};

struct SnapshotArguments {
  std::string input;
  std::string output;
  std::string last;     // as it was given
  Selection selection;  // of times and types
  Reading reading;
  std::string what;     // the options that leave something out
  bool follow = false;  // sends blocks as they come, until the program has ended

  Selection trigger;  // of events of which a snapshot is taken; without types: one is taken now
  std::int64_t before_ns = 10'000'000'000;
  std::int64_t after_ns = 0;
  std::int64_t rearm_ns = 60'000'000'000;
  std::uint64_t most = 10;
};

struct SqlArguments {
  std::vector<std::string> words;  // traces, and behind them the query
  std::vector<std::string> files;
  std::optional<std::string> query;
  Selection selection;  // of times alone
  Reading reading;
  bool json = false;
  bool csv = false;
  bool views = false;
  std::string output = "-";
  OutputFormat format = OutputFormat::kText;  // of the output; text is for standard output
};

struct StatsArguments {
  // A word that stands for -- between the traces of diff, which the parser of options does not tell. No file is called
  // so.
  static constexpr const char* kSides = "\x1e--";

  std::vector<std::string> words;         // analyses, then files
  std::vector<std::string> words_behind;  // the name of an analysis that is a subcommand
  bool is_diff = false;
  std::optional<std::size_t> files_before;  // how many of `files` are in front of kSides; diff of several runs
  bool only_significant = false;
  std::optional<double> fail_above;  // percent
  std::vector<std::string> analyses;
  std::vector<std::string> files;
  OutputOptions output;
  std::size_t top = SIZE_MAX;
  std::string sort;
  std::string table;                 // the only one
  std::vector<std::string> columns;  // beside keys; empty: those that have room
  std::string sparklines = "auto";   // when tables over time are drawn: auto, always or never
  std::optional<TimeSpec> at;
  Selection selection;
  AnalysisOptions analysis;
  bool no_checkpoints = false;
  bool whole_session = false;
  std::string follow;          // as the user wrote it; empty: not asked for
  std::int64_t follow_ns = 0;  // between tables
  Reading reading;
};

struct TestArguments {
  std::vector<std::string> words;       // assertions and traces
  std::vector<std::string> from_files;  // with assertions, one a line
  std::vector<std::string> assertions;
  std::vector<std::string> files;
  std::string junit;  // a file; empty: none
  bool json = false;
  bool json_safe = false;
  bool csv = false;
  Selection selection;
  Reading reading;
};

struct ViewArguments {
  std::vector<std::string> files;
  std::string output;  // a picture, or the page; empty: none
  bool text = false;   // into the terminal
  // Into neither, but into the browser:
  BrowserOptions browser;
  bool no_cache = false;
  bool separate = false;  // each session on a timeline of its own
  bool follow = false;    // shows the end of the trace as it grows
  bool is_served() const { return output.empty() && !text; }
  // The page in a file.
  bool is_page() const { return suffix_of(output) == ".html"; }
  std::uint64_t detail = 0;  // bytes of it

  double width = 0;  // of a picture, in points
  bool black_and_white = false;
  RowChoice rows;
  FlameOptions flame;
  Selection selection;
  Reading reading;
};

struct WhyArguments {
  std::string file;
  WhyAsked asked;  // without its times
  AskedRange range;
  std::optional<TimeSpec> at;
  std::vector<WhatIf> what_ifs;
  std::size_t depth = SIZE_MAX;
  bool json = false;
  bool json_safe = false;
  bool csv = false;
  Reading reading;

  // A running process is named, and nothing of its past.
  bool is_now() const {
    const bool is_past = !asked.name.empty() || !asked.thread.empty() || range.from || range.to;
    return !is_past && ProgramTrace::living(file).has_value();
  }
};

int run_check(CheckArguments& options);
int run_convert(ConvertArguments& options);
int run_cut(CutArguments& options);
int run_dump(DumpArguments& options);
// evt dump --follow. Prints the events of a program that runs as they come, until it has ended. Each event once, and
// none is left out; in the order of their times but for those that come late, which are marked and counted.
int run_follow(DumpArguments& options, Report& report);
int run_collect(CollectArguments& options);
int run_grep(GrepArguments& options);
int run_list(ListArguments& options);
int run_merge(MergeArguments& options);
int run_run(RunArguments& options);  // that of the program
int run_snapshot(SnapshotArguments& options);
int run_sql(SqlArguments& options);
int run_stats(StatsArguments& options);
int run_switch(SwitchArguments& options);
int run_test(TestArguments& options);
int run_view(ViewArguments& options);
int run_why(WhyArguments& options);
// What each thread of a running process waits for. REQUIRES: its name is pid:N.
int run_why_now(WhyArguments& options);

}  // namespace evt::tools
