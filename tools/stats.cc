#include "stats.h"

#include <evt/trace.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "moment.h"
#include "output.h"
#include "plain_value.h"
#include "progress.h"
#include "report.h"
#include "selection.h"
#include "stats/session_run.h"
#include "stats/summary.h"
#include "trace_tables.h"

namespace evt::tools {
namespace {

struct Options {
  std::vector<std::string> words;  // analyses, then files
  std::vector<std::string> analyses;
  std::vector<std::string> files;
  bool json = false;
  bool csv = false;
  bool raw = false;
  std::size_t top = SIZE_MAX;
  std::string sort;
  std::optional<Moment> at;
  Selection selection;
  AnalysisOptions analysis;
};

constexpr const char* kSummary = "summary";

class Stats {
 public:
  explicit Stats(const Options& options) : options_(options) {}

  int run() {
    for (const std::string& file : options_.files) status_ = std::max(status_, run_file(file));
    if (!sorted_ && !options_.sort.empty() && has_tables_) {
      report_.say(fmt::format("no table has a column {}", options_.sort));
      return kExitUsage;
    }
    return out_.flush() ? status_ : report_.no_answer(out_.status());
  }

 private:
  int run_file(const std::string& file) {
    const bool from_stdin = file == "-";
    const std::string name = from_stdin ? "standard input" : file;
    auto trace = from_stdin ? Trace::open(STDIN_FILENO, name) : Trace::open(file);
    if (!trace) return report_.no_answer(trace.status());
    std::vector<SessionFindings> sessions = run_sessions(*trace, wanted(*trace), &progress_);
    progress_.clear();
    for (SessionFindings& session : sessions) {
      for (auto& [kind, findings] : session.by_analysis) {
        for (Table& table : findings.tables) arrange(&table);
      }
    }
    append(name, *trace, sessions);
    for (const SessionFindings& session : sessions) {
      for (const auto& [kind, findings] : session.by_analysis) {
        for (const std::string& note : findings.notes) report_.say(fmt::format("{}: {}", name, note));
      }
    }
    int status = report_.finish(name, *trace);
    for (const std::string& sentence : options_.selection.nowhere_in({&*trace})) {
      report_.say(sentence);
      status = std::max<int>(status, kExitPartly);
    }
    return out_.drain() ? status : report_.no_answer(out_.status());
  }

  RunOptions wanted(const Trace&) {
    RunOptions run;
    run.summary = has(kSummary);
    for (const std::string& analysis : options_.analyses) {
      if (analysis != kSummary) run.kinds.push_back(analysis_kind(analysis));
    }
    run.selection = &options_.selection;
    run.at = options_.at;
    run.analysis = options_.analysis;
    run.report = &report_;
    return run;
  }

  bool has(const std::string& analysis) const {
    return std::find(options_.analyses.begin(), options_.analyses.end(), analysis) != options_.analyses.end();
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
    table->keep_first(options_.top);
  }

  void append(const std::string& file, const Trace& trace, const std::vector<SessionFindings>& sessions) {
    if (options_.json) return append_json(file, trace, sessions);
    TextBuffer& out = out_.text();
    if (!options_.csv && (options_.files.size() > 1 || has(kSummary))) append_file(file, trace, sessions);
    for (const SessionFindings& session : sessions) {
      if (!options_.csv && sessions.size() > 1)
        out += fmt::format("# session of {}\n", shown(session.session->program));
      for (const auto& [kind, findings] : session.by_analysis) {
        if (!options_.csv && session.by_analysis.size() > 1) append_title(kind);
        for (const Table& table : findings.tables) {
          if (table.rows().empty() && !options_.csv) continue;
          if (any_printed_) out += options_.csv ? "\r\n" : "\n";
          any_printed_ = true;
          options_.csv ? append_as_csv(out, table) : append_for_people(out, table, options_.raw);
        }
      }
    }
  }

  void append_title(const std::string& title) {
    if (any_printed_) out_.text() += '\n';
    any_printed_ = false;
    out_.text() += fmt::format("# {}\n", title);
  }

  void append_file(const std::string& file, const Trace& trace, const std::vector<SessionFindings>& sessions) {
    std::uint64_t events = 0;
    for (const SessionFindings& session : sessions) events += session.events;
    std::string title = shown(file);
    if (has(kSummary)) {
      title += fmt::format(": {} bytes, {}", trace.size(), counted(events, "event"));
      if (events > 0) title += fmt::format(", {:.2f} bytes each", bytes_each(trace, events));
    }
    append_title(title);
  }

  static double bytes_each(const Trace& trace, std::uint64_t events) {
    return static_cast<double>(trace.size()) / static_cast<double>(events);
  }

  void append_json(const std::string& file, const Trace& trace, const std::vector<SessionFindings>& sessions) {
    TextBuffer& out = out_.text();
    std::uint64_t events = 0;
    for (const SessionFindings& session : sessions) events += session.events;
    out += "{\"file\":";
    append_json_text(out, file);
    out += fmt::format(",\"bytes\":{},\"events\":{}", trace.size(), events);
    if (events > 0) out += fmt::format(",\"bytes_per_event\":{:.6}", bytes_each(trace, events));
    out += fmt::format(",\"lost\":{},\"damage\":{},\"sessions\":[", lost_in(trace), trace.damage().size());
    bool first = true;
    for (const SessionFindings& session : sessions) {
      if (!first) out += ',';
      first = false;
      append_session(session);
    }
    out += "]}\n";
  }

  static std::uint64_t lost_in(const Trace& trace) {
    std::uint64_t lost = 0;
    for (const Session& session : trace.sessions()) lost += session.lost;
    return lost;
  }

  void append_session(const SessionFindings& session) {
    TextBuffer& out = out_.text();
    out += "{\"program\":";
    append_json_text(out, session.session->program);
    out += ",\"uuid\":";
    append_json_text(out, uuid_text(session.session->uuid));
    out += fmt::format(",\"events\":{},\"from_ns\":{},\"to_ns\":{}", session.events, session.range.from_ns,
                       session.range.to_ns);
    for (const auto& [kind, findings] : session.by_analysis) {
      out += ',';
      append_json_text(out, kind);
      out += ":{";
      for (const Table& table : findings.tables) {
        append_json_text(out, table.name());
        out += ':';
        append_as_json(out, table);
        out += ',';
      }
      out += "\"notes\":[";
      for (std::size_t i = 0; i < findings.notes.size(); ++i) {
        if (i > 0) out += ',';
        append_json_text(out, findings.notes[i]);
      }
      out += "]}";
    }
    out += '}';
  }

  const Options& options_;
  Report report_{"evt stats"};
  Progress progress_;
  TextOutput out_;
  int status_ = kExitOk;
  bool sorted_ = false;
  bool has_tables_ = false;
  bool any_printed_ = false;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

bool is_analysis(const std::string& word) { return word == kSummary || analysis_kind(word) != nullptr; }

// The words in front that are analyses; a file with such a name is ./cpu.
void sort_words(Options* options) {
  std::size_t at = 0;
  for (; at < options->words.size(); ++at) {
    const std::vector<std::string> names = split(options->words[at]);
    if (!std::all_of(names.begin(), names.end(), is_analysis)) break;
    for (const std::string& name : names) {
      if (std::find(options->analyses.begin(), options->analyses.end(), name) == options->analyses.end()) {
        options->analyses.push_back(name);
      }
    }
  }
  options->files.assign(options->words.begin() + static_cast<std::ptrdiff_t>(at), options->words.end());
  if (options->analyses.empty()) options->analyses = {kSummary};
  if (options->files.empty()) throw CLI::ValidationError("file", "expected a trace behind the analyses");
  if (!options->analysis.every) return;
  for (const std::string& name : options->analyses) {
    const AnalysisKind* const kind = analysis_kind(name);
    if (kind == nullptr || !kind->by_every) {
      throw CLI::ValidationError("--every", fmt::format("{} has no table over time", name));
    }
  }
}

std::string analyses_help() {
  std::string text = "Analyses:\n  summary   what the trace says of itself: the default, from the index alone\n";
  for (const AnalysisKind& kind : analysis_kinds()) text += fmt::format("  {:<9} {}\n", kind.name, kind.what);
  return text;
}

}  // namespace

std::function<int()> add_stats(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("words", options->words, "analyses, then traces; - is standard input")
      ->type_name("[ANALYSIS...] FILE...")
      ->required();
  CLI::Option* const json = app.add_flag("--json", options->json, "a JSON object for each trace; nanoseconds");
  app.add_flag("--csv", options->csv, "comma-separated values, an empty line between tables")->excludes(json);
  app.add_flag("--raw", options->raw, "numbers without units, times in nanoseconds");
  app.add_option("--top", options->top, "only the first so many rows of each table")->type_name("N");
  app.add_option("--sort", options->sort, "by this column, the largest first; COLUMN:up, the smallest")
      ->type_name("COLUMN");
  CLI::Option* const at = app.add_option_function<std::string>(
      "--at",
      [options](const std::string& text) {
        options->at = Moment::parse(text);
        if (!options->at)
          throw CLI::ValidationError("--at", "expected 1.5, 200ms, -2s or a time of day, found " + text);
      },
      "how things stand at this time: all that was so far");
  at->type_name("TIME");
  options->selection.add_options(app);
  for (const char* const other : {"--from", "--to"}) at->excludes(app.get_option(other));
  app.add_option_function<std::string>("--every",
                                       [options](const std::string& text) {
                                         options->analysis.every = parse_length(text);
                                         if (options->analysis.every && *options->analysis.every > 0) return;
                                         throw CLI::ValidationError("--every",
                                                                    "expected a time like 10ms, found " + text);
                                       })
      ->description("what was in each stretch of so much time (cpu, events)")
      ->type_name("TIME");
  app.add_option_function<std::string>(
         "--by",
         [options](const std::string& text) {
           constexpr const char* kForms[] = {"thread", "cpu", "thread,cpu", "cpu,thread"};
           if (std::find(std::begin(kForms), std::end(kForms), text) == std::end(kForms)) {
             throw CLI::ValidationError("--by", "expected thread, cpu, thread,cpu or cpu,thread, found " + text);
           }
           options->analysis.by = split(text);
         })
      ->description("cpu: rows for each thread, cpu, or both in this order")
      ->type_name("thread|cpu|thread,cpu|cpu,thread");
  app.footer(analyses_help() +
             "\nExamples: evt stats app.evt\n"
             "          evt stats cpu --at 1.5 --by thread,cpu app.evt\n"
             "          evt stats threads,gc --json app.eventlog | jq .\n\n"
             "Exit status: 0 all was read; 1 the trace is damaged or cut, the rest was counted, or a filter\n"
             "names nothing that is there; 2 wrong usage; 3 a trace could not be read, or the output not written.");
  app.parse_complete_callback([options] { sort_words(options.get()); });
  return [options] { return Stats(*options).run(); };
}

}  // namespace evt::tools
