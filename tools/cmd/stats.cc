#include <evt/follow.h>
#include <evt/trace.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <set>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/report.h"
#include "base/table.h"
#include "base/terminal.h"
#include "base/user_folders.h"
#include "cmd/commands.h"
#include "input/asked_times.h"
#include "input/trace_inputs.h"
#include "libtrace-read/text/near_names.h"
#include "libtrace-read/text/shown.h"
#include "stats/diff.h"
#include "stats/overview_commands.h"
#include "stats/runs_diff.h"
#include "stats/sparklines.h"
#include "stats/stats_output.h"

namespace evt::tools {
namespace {

constexpr const char* kAllColumns = "all";
const std::string kLongest = "longest";  // the table of --longest
constexpr const char* kClearScreen = "\x1b[H\x1b[2J";
constexpr int kRestPerWork = 5;

bool is_regular(const std::string& file) {
  struct stat facts;
  return file != "-" && stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

class Stats {
 public:
  explicit Stats(StatsArguments& options)
      : options_(options), wanted_(inputs_before(options)), before_(wanted_.size()), output_(options.output) {
    const std::vector<std::string>& files = options.files;
    const auto after = files.begin() + static_cast<std::ptrdiff_t>(options.files_before.value_or(files.size()));
    for (TraceInput& input : trace_inputs({after, files.end()})) wanted_.push_back(std::move(input));
    options_.output.several = wanted_.size() > 1;
  }

  int run() {
    options_.output.look = Terminal::look();
    options_.output.look.keeps = {options_.sort.substr(0, options_.sort.find(":up"))};
    if (options_.columns.empty()) options_.output.look.left_out = &left_out_;
    if (const Status status = check_files(options_.files, "-"); !status.ok()) return report_.usage(status.message());
    if (const Status status = check_diff(); !status.ok()) return report_.usage(status.message());
    if (const Status status = options_.follow_ns > 0 ? run_followed() : run_all(); !status.ok()) {
      return std::max(status_, report_.usage(status.message()));
    }
    if (!sorted_ && !options_.sort.empty() && has_tables_) return no_column(options_.sort);
    for (const std::string& name : options_.columns) {
      if (has_tables_ && name != kAllColumns && !is_column(name)) return no_column(name);
    }
    // As evt grep has it: an event of one trace is enough.
    if (unselected_ == wanted_.size()) become(kExitPartly);
    if (!output_.out().flush()) return report_.no_answer(output_.out().status());
    if (!left_out_.empty()) {
      report_.say(fmt::format("left out to fit {} columns: {}; --columns all shows them", Terminal::columns(),
                              fmt::join(left_out_, ", ")));
    }
    return status_;
  }

 private:
  // Files that are segments of one session are one trace on either side.
  static std::vector<TraceInput> inputs_before(const StatsArguments& options) {
    const auto begin = options.files.begin();
    const std::size_t files = options.files_before.value_or(options.files.size());
    return trace_inputs({begin, begin + static_cast<std::ptrdiff_t>(files)});
  }

  // Two groups of traces, of which not both have only one.
  bool compares_groups() const { return options_.files_before && wanted_.size() > 2; }

  Status check_diff() const {
    if (!options_.is_diff) return {};
    if (std::ranges::count(options_.analyses, "overview") > 0) {
      return {Code::kInvalid, "diff compares tables of one analysis: name one that overview lists"};
    }
    if (wanted_.size() != 2 && !options_.files_before) {
      return {
          Code::kInvalid,
          fmt::format("expected two traces to compare, found {}; several runs: BEFORE... -- AFTER...", wanted_.size())};
    }
    const std::size_t before = options_.files_before ? before_ : 1;
    const std::size_t after = wanted_.size() - before;
    const char* const needs_runs = options_.only_significant                  ? "--significant"
                                   : options_.fail_above && compares_groups() ? "--fail-above"
                                                                              : nullptr;
    if (needs_runs == nullptr || (before > 1 && after > 1)) return {};
    return {Code::kInvalid,
            fmt::format("{}: expected two runs or more on each side, found {} and {}", needs_runs, before, after)};
  }

  int no_column(const std::string& name) const {
    const std::string near = did_you_mean(name, columns_);
    const std::string list = columns_.empty() ? "" : fmt::format("; there are {}", fmt::join(columns_, ", "));
    return report_.usage(fmt::format("no table has a column {}{}", name, near.empty() ? list : near));
  }
  // By its name or its key.
  bool is_column(const std::string& name) const { return named_.contains(name); }

  struct Input {
    std::string file;  // empty where there are several
    std::string name;  // as messages call it
    Trace trace;
  };
  // What its analyses found.
  using Answer = std::optional<std::vector<SessionFindings>>;

  // Errors, here and below: kInvalid, of what is asked for.
  Status run_all() {
    // What names in conditions are depends on all the traces; else one at a time is enough, however many there are.
    const bool together = options_.is_diff || options_.selection.has_conditions();
    for (std::size_t at = 0; at < wanted_.size();) {
      std::vector<Input> inputs;
      do {
        open(wanted_[at++], &inputs);
      } while (together && at < wanted_.size());
      if (Status status = resolve(inputs); !status.ok()) return status;
      run_together(inputs);
    }
    return {};
  }

  // Until the program has ended, and then of all of it.
  Status run_followed() {
    if (wanted_.size() > 1) return {Code::kInvalid, "--follow takes one trace"};
    if (wanted_.front().program && !*wanted_.front().program) return wanted_.front().program->status();
    const std::string file = wanted_.front().paths().back();
    if (file == "-") return {Code::kInvalid, "--follow takes a file, because a pipe is read once"};
    if (is_trace_folder(file)) return {Code::kInvalid, "--follow takes a file, and " + file + " is a folder"};
    FollowOptions no_events;
    no_events.events.stream = [](const Session&, const StreamInfo&) { return false; };
    auto follow = Follow::open(file, no_events);
    if (!follow) {
      become(report_.no_answer(follow.status()));
      return {};
    }
    using Clock = std::chrono::steady_clock;
    Clock::time_point due = Clock::now();
    while (follow->wait()) {
      if (Clock::now() < due) continue;
      const std::clock_t processor = std::clock();
      show_so_far(*follow);
      // What reading a long trace takes is no more than a part of the time.
      const std::chrono::microseconds took((std::clock() - processor) * (std::micro::den / CLOCKS_PER_SEC));
      due = Clock::now() + std::max<Clock::duration>(std::chrono::nanoseconds(options_.follow_ns), kRestPerWork * took);
    }
    std::vector<Input> inputs;
    open_followed(*follow, &inputs);
    if (Status status = resolve(inputs); !status.ok()) return status;
    begin_tables();
    run_together(inputs);
    return {};
  }

  void open_followed(const Follow& follow, std::vector<Input>* inputs) {
    const TraceInput input{follow.files()};
    auto trace = input.is_one_file() ? follow.whole() : options_.reading.open(input, report_);
    if (!trace) return become(report_.no_answer(trace.status()));
    inputs->push_back({input.is_one_file() ? input.first() : "", input.name(), *std::move(trace)});
  }

  // What is asked for and is not there may come: then nothing is shown.
  void show_so_far(const Follow& follow) {
    std::vector<Input> inputs;
    open_followed(follow, &inputs);
    if (inputs.empty() || !resolve(inputs).ok()) return;
    Answer found = answer(inputs.front());
    if (!found) return;
    arrange(&*found);
    name_trace_in_commands(inputs.front().file, &*found);
    begin_tables();
    output_.append(inputs.front().name, inputs.front().trace, *found);
    if (!output_.out().flush()) become(report_.no_answer(output_.out().status()));
  }

  // Those before are on a terminal no longer, and elsewhere above a line with the time.
  void begin_tables() {
    if (options_.output.json) return;
    const bool is_drawn = Terminal::has_output() && Terminal::has_cursor();
    const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
    output_.begin_anew(is_drawn ? kClearScreen : fmt::format("# {}\n", utc_text(now.count())));
  }

  void become(int status) { status_ = std::max(status_, status); }

  void open(const TraceInput& input, std::vector<Input>* inputs) {
    auto trace = options_.reading.open(input, report_);
    if (!trace) return become(report_.no_answer(trace.status()));
    inputs->push_back({input.is_one_file() ? input.first() : "", input.name(), *std::move(trace)});
  }

  // A field that one of them has is a field.
  Status resolve(std::vector<Input>& inputs) {
    if (inputs.empty()) return {};
    std::vector<const Trace*> traces;
    traces.reserve(inputs.size());
    for (const Input& input : inputs) traces.push_back(&input.trace);
    if (const Status status = options_.selection.resolve(traces); !status.ok()) return status;
    for (Input& input : inputs) options_.selection.look_at(input.trace);
    return {};
  }

  void run_together(std::vector<Input>& inputs) {
    if (options_.is_diff) {
      if (inputs.size() != wanted_.size()) return;
      compares_groups() ? run_diff_of_groups(inputs) : run_diff(inputs[0], inputs[1]);
    } else {
      for (Input& input : inputs) run_file(input);
    }
  }

  Status leave_out_pairing(const Input& input, RunOptions* run) {
    const report::Sampled sampled = report::leave_out_pairing(input.trace, run);
    if (!sampled.refused.empty() && run->kinds.empty() && !run->summary) {
      return {Code::kInvalid, fmt::format("{}: {}", input.name, sampled.refused)};
    }
    if (!sampled.refused.empty()) {
      report_.say(fmt::format("{}: {}", input.name, sampled.refused));
      become(kExitPartly);
    }
    if (!sampled.counts.empty()) report_.say(fmt::format("{}: {}", input.name, sampled.counts));
    return {};
  }

  Answer answer(Input& input) {
    RunOptions run = wanted(input.file);
    if (const Status left = leave_out_pairing(input, &run); !left.ok()) {
      become(report_.no_answer(left));
      return std::nullopt;
    }
    if (const Status status = report::check_stretches(input.trace, run); !status.ok()) {
      become(report_.usage(fmt::format("{}: {}", input.name, status.message())));
      return std::nullopt;
    }
    std::vector<SessionFindings> sessions = report::run_sessions(input.trace, run);
    progress_.clear();
    return sessions;
  }

  // Analyses that count something in a session: one session is enough.
  static std::set<std::string> with_something(const std::vector<SessionFindings>& sessions) {
    std::set<std::string> kinds;
    for (const SessionFindings& session : sessions) {
      for (const auto& [kind, findings] : session.by_analysis) {
        if (findings.nothing.empty()) kinds.insert(kind);
      }
    }
    return kinds;
  }

  static bool has_rows(const std::vector<SessionFindings>& sessions) {
    return std::any_of(sessions.begin(), sessions.end(), [](const SessionFindings& session) {
      return std::any_of(session.by_analysis.begin(), session.by_analysis.end(), [](const auto& kind) {
        const std::vector<Table>& tables = kind.second.tables;
        return std::any_of(tables.begin(), tables.end(), [](const Table& table) { return !table.rows().empty(); });
      });
    });
  }

  // What is asked for and is not in it at all, which is why nothing is counted.
  std::vector<std::string> lacks_of(const Input& input) const {
    std::vector<std::string> sentences;
    for (const Status& status :
         {check_times(options_.at, {&input.trace}), check_is_recorded("--at", options_.at, {&input.trace}),
          check_is_recorded("--to", options_.selection.to, {&input.trace})}) {
      if (!status.ok()) sentences.push_back(fmt::format("{}: {}", input.name, status.message()));
    }
    for (const std::string& sentence : options_.selection.nowhere_in({&input.trace})) {
      sentences.push_back(wanted_.size() > 1 ? fmt::format("{}: {}", input.name, sentence) : sentence);
    }
    return sentences;
  }

  // What is to be reported beside its tables.
  void finish(const Input& input, const std::vector<SessionFindings>& sessions) {
    const std::vector<std::string> lacks = lacks_of(input);
    const bool is_unselected =
        std::ranges::all_of(sessions, [](const SessionFindings& session) { return session.is_unselected; });
    if (is_unselected && lacks.empty() && !sessions.empty()) ++unselected_;
    const std::set<std::string> has_something = with_something(sessions);
    std::set<std::string> nothing;
    for (const SessionFindings& session : sessions) {
      std::set<std::string> said;  // several analyses may have it
      for (const auto& [kind, findings] : session.by_analysis) {
        const bool is_passed_over = has_something.contains(kind);
        for (const std::string& note : findings.notes) {
          if (!said.insert(note).second) continue;
          const bool is_nothing = note == findings.nothing;
          if (is_nothing && (is_passed_over || !lacks.empty() || !nothing.insert(note).second)) continue;
          report_.say(fmt::format("{}: {}", input.name, note));
        }
        const bool has_nothing = !findings.nothing.empty() && !is_passed_over && !is_unselected;
        if (findings.is_partial || has_nothing) become(kExitPartly);
      }
    }
    for (const std::string& sentence : report::unmet_in(sessions)) {
      if (sentence.starts_with("thread ") && !lacks.empty()) continue;  // of --thread, which says so itself
      report_.say(fmt::format("{}: {}", input.name, sentence));
      become(kExitPartly);
    }
    if (has_rows(sessions) && is_by_index(sessions) && !output_.has_verdict() && !options_.is_diff) {
      report_.say(fmt::format("{}: not verified: only the index was read; evt check reads all", input.name));
    }
    become(report_.finish(input.name, input.trace));
    for (const std::string& sentence : lacks) {
      report_.say(sentence);
      become(kExitPartly);
    }
    if (!output_.out().drain()) become(report_.no_answer(output_.out().status()));
  }

  void run_file(Input& input) {
    Answer found = answer(input);
    if (!found) return;
    arrange(&*found);
    const bool names_commands = name_trace_in_commands(input.file, &*found);
    output_.append(input.name, input.trace, *found);
    if (names_commands && options_.selection.is_limited()) {
      report_.say("the commands of overview cover the whole trace: add your filters");
    }
    finish(input, *found);
  }

  bool is_for_programs() const { return options_.output.json || options_.output.csv || options_.output.raw; }

  void run_diff(Input& first, Input& second) {
    Answer before = answer(first);
    Answer after = answer(second);
    if (!before || !after) return;
    Diff diff({first.name, second.name, is_for_programs(), options_.fail_above});
    show_diff({first.name}, {second.name}, diff.compare(*before, *after));
    finish(first, *before);
    finish(second, *after);
    finish_diff(diff);
  }

  void run_diff_of_groups(std::vector<Input>& inputs) {
    std::vector<RunFindings> before;
    std::vector<RunFindings> after;
    std::vector<std::string> names_before;
    std::vector<std::string> names_after;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      Answer found = answer(inputs[i]);
      if (!found) return;
      (i < before_ ? before : after).push_back(*std::move(found));
      (i < before_ ? names_before : names_after).push_back(inputs[i].name);
    }
    RunsDiff diff({is_for_programs(), options_.only_significant, options_.fail_above});
    show_diff(names_before, names_after, diff.compare(before, after));
    for (std::size_t i = 0; i < inputs.size(); ++i) finish(inputs[i], i < before_ ? before[i] : after[i - before_]);
    finish_diff(diff);
  }

  void show_diff(const std::vector<std::string>& before, const std::vector<std::string>& after, RunFindings sessions) {
    arrange(&sessions);
    output_.append_diff(before, after, sessions);
  }

  template <typename AnyDiff>
  void finish_diff(const AnyDiff& diff) {
    for (const std::string& sentence : diff.sentences()) report_.say(sentence);
    if (diff.has_large()) become(kExitPartly);
  }

  RunOptions wanted(const std::string& file) {
    RunOptions run;
    run.summary = std::ranges::find(options_.analyses, "summary") != options_.analyses.end();
    for (const std::string& analysis : options_.analyses) {
      if (const AnalysisKind* const kind = analysis_kind(analysis)) run.kinds.push_back(kind);
    }
    // What is no file, or a file of another kind, has no checkpoints.
    run.checkpoints.trace_file = file;
    if (!options_.no_checkpoints && is_regular(file)) run.checkpoints.cache_folder = cache_folder();
    options_.selection.ask(&run);
    if (options_.at) {
      run.range = [this](const Session& session) { return TimeRange{INT64_MIN, options_.at->in(session)}; };
    }
    run.whole_session = options_.whole_session;
    run.analysis = options_.analysis;
    run.progress = [this](std::uint64_t done, std::uint64_t total) { progress_.show(done, total); };
    run.failed = run.not_kept = [this](const std::string& sentence) { report_.say(sentence); };
    return run;
  }

  void arrange(std::vector<SessionFindings>* sessions) {
    for (SessionFindings& session : *sessions) {
      for (auto& [kind, findings] : session.by_analysis) {
        const bool is_list = options_.analysis.longest > 0 && (kind == "spans" || kind == "gc" || kind == "latency");
        const std::string& only = options_.table.empty() && is_list ? kLongest : options_.table;
        std::erase_if(findings.tables, [&](const Table& table) { return !only.empty() && table.name() != only; });
        for (Table& table : findings.tables) arrange(&table);
      }
    }
  }

  // Steps of its own are always drawn, as no screen has room for them.
  bool is_drawn(const Table& table) const {
    constexpr std::size_t kMany = 10;
    const OutputOptions& output = options_.output;
    const bool is_for_people = !output.json && !output.csv && !output.raw && !output.fold;
    if (!table.is_over_time() || !is_for_people || options_.sparklines == "never") return false;
    if (options_.sparklines == "always" || !options_.analysis.every) return true;
    return Terminal::has_output() && steps_of(table) >= kMany;
  }

  bool asks_for_columns() const {
    return !options_.columns.empty() && options_.columns != std::vector<std::string>{kAllColumns};
  }

  void arrange(Table* table) {
    has_tables_ = true;
    if (table->is_facts()) return;
    if (!options_.sort.empty()) {
      const bool up = options_.sort.ends_with(":up");
      const auto column = table->column(up ? options_.sort.substr(0, options_.sort.size() - 3) : options_.sort);
      if (column) table->sort(*column, up);
      sorted_ |= column.has_value();
    }
    for (const Table::Column& column : table->columns()) {
      if (std::ranges::find(columns_, column.name) == columns_.end()) columns_.push_back(column.name);
    }
    const std::vector<std::string> names = asks_for_columns() ? options_.columns : std::vector<std::string>();
    for (const std::string& name : names) {
      if (table->column(name)) named_.insert(name);
    }
    if (!names.empty()) table->keep_columns(names);
    if (is_drawn(*table)) *table = sparklines(*table, names, {Terminal::has_utf8(), columns_of_row()});
    table->keep_first(options_.top);
  }

  static std::size_t columns_of_row() {
    constexpr std::size_t kOfFile = 100;
    return Terminal::has_output() ? Terminal::columns() : kOfFile;
  }

  StatsArguments& options_;
  std::vector<TraceInput> wanted_;
  std::size_t before_;  // how many of them are before; diff of groups
  Report report_{"evt stats"};
  Progress progress_;
  StatsOutput output_;
  int status_ = kExitOk;
  std::size_t unselected_ = 0;  // traces of which filters leave nothing to count
  bool sorted_ = false;
  bool has_tables_ = false;
  std::vector<std::string> columns_;   // of tables that can be sorted
  std::set<std::string> named_;        // of --columns, that some table has
  std::vector<std::string> left_out_;  // columns, by tables for people
};

}  // namespace

int run_stats(StatsArguments& options) { return Stats(options).run(); }

}  // namespace evt::tools
