#include <evt/analysis/why.h>
#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "base/json_object.h"
#include "base/output.h"
#include "base/table_forms.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "input/asked_times.h"
#include "libtrace-read/report/shared/thread_groups.h"
#include "libtrace-read/text/near_names.h"
#include "libtrace-read/text/shown.h"
#include "why/slow_spans.h"
#include "why/what_if.h"
#include "why/why_search.h"
#include "why/why_table.h"
#include "why/why_tree.h"
#include "why/why_words.h"

namespace evt::tools {
namespace {

constexpr const char* kNoRuns =
    "no event records when threads run: time outside of calls for an object is running or waiting";

// st, nd, rd or th.
const char* end_of_ordinal(std::uint64_t number) {
  if (number % 100 >= 11 && number % 100 <= 13) return "th";
  return number % 10 == 1 ? "st" : number % 10 == 2 ? "nd" : number % 10 == 3 ? "rd" : "th";
}

class WhyCommand {
 public:
  explicit WhyCommand(WhyArguments& options) : options_(options) { out_.set_json_safe(options.json_safe); }

  int run() {
    auto trace = options_.reading.open(trace_input(options_.file), report_);
    if (!trace) return report_.no_answer(trace.status());
    name_ = Reading::name_of(options_.file);
    RunOptions pairs;
    pairs.kinds = {analysis_kind("spans")};
    const report::Sampled sampled = report::leave_out_pairing(*trace, &pairs);
    if (!sampled.refused.empty()) return report_.no_answer({Code::kInvalid, name_ + ": " + sampled.refused});
    for (const Status& status :
         {check_times(options_.asked.from, options_.asked.to, {&*trace}), check_times(options_.asked.at, {&*trace})}) {
      if (!status.ok()) return report_.usage(fmt::format("{}: {}", name_, status.message()));
    }
    is_one_of_several_ = trace->sessions().size() > 1;
    if (!options_.asked.name.empty()) search(*trace);
    options_.asked.slow ? explain_slow(*trace) : explain(*trace);
    if (!out_.flush()) return report_.no_answer(out_.status());
    return std::max(status_, report_.finish(name_, *trace));
  }

 private:
  struct Searched {
    std::optional<WhyInterval> found;
    std::optional<std::uint64_t> length;
    std::string nothing;  // why none is found
    std::vector<std::uint64_t> lengths{};

    bool is_answer() const { return found.has_value() || !lengths.empty(); }
  };
  struct Answer {
    const Session* session = nullptr;
    WhyInterval interval;
    std::string thread;
    Table causes;
    Table what_if;
    std::vector<std::string> notes;
  };
  struct SlowAnswer {
    const Session* session = nullptr;
    SlowSpans spans;
  };

  // Both passes take the same items, so that indexes of threads are the same.
  static bool begin(Timeline& timeline) {
    if (!timeline.next_session()) return false;
    timeline.hand_out(Why::items());
    timeline.hand_out_rows(Why::rows());
    return true;
  }

  void search(Trace& trace) {
    // A length is known when all lengths are.
    if (search_once(trace)) search_once(trace);
    report_if_nothing();
  }

  void report_if_nothing() {
    if (std::ranges::any_of(searched_, &Searched::is_answer)) return;
    become(kExitPartly);
    report_.say(fmt::format("{}: {}", name_, searched_.empty() ? "no event was recorded" : searched_.front().nothing));
  }

  // True: it is to be done again.
  bool search_once(Trace& trace) {
    Timeline timeline(trace, {});
    bool is_again = false;
    for (std::size_t i = 0; begin(timeline); ++i) {
      if (i == searched_.size()) searched_.emplace_back();
      WhySearch search(timeline, options_.asked, searched_[i].length);
      while (const TimelineItem* const item = timeline.next()) search.take(*item);
      take_found(search, &searched_[i]);
      is_again |= search.length() && !search.found();
    }
    check(timeline.status());
    return is_again;
  }

  static void take_found(WhySearch& search, Searched* searched) {
    search.finish();
    *searched = {search.found(), search.length(), search.found() ? "" : search.nothing(), search.take_lengths()};
    if (searched->lengths.size() < 2) searched->lengths.clear();
  }

  void explain(Trace& trace) {
    Timeline timeline(trace, {});
    std::vector<Answer> answers;
    const bool is_searched = !options_.asked.name.empty();
    for (std::size_t i = 0; (!is_searched || i < searched_.size()) && begin(timeline); ++i) {
      if (!is_searched) searched_.emplace_back();
      if (is_searched && !searched_[i].found) continue;
      std::optional<Answer> answer = explained(timeline, &searched_[i]);
      if (!answer) continue;
      print(*answer);
      answers.push_back(*std::move(answer));
    }
    check(timeline.status());
    if (!is_searched) report_if_nothing();
    if (options_.json && !answers.empty()) print_json(answers);
  }

  // What a thread does is searched while it is explained: its range is known before.
  std::optional<Answer> explained(Timeline& timeline, Searched* searched) {
    const Session& session = timeline.actors().session();
    Why why(timeline, searched->found ? searched->found->range : options_.asked.range_in(session));
    const WhyWords words(timeline, why);
    WhatIfs what_ifs(options_.what_ifs, timeline, why, words);
    searched->found ? read(timeline, why, searched->found->thread) : read_all(timeline, why, searched);
    if (!searched->found) return {};
    const WhyInterval& interval = *searched->found;
    WhyTree tree;
    why.divide(interval.thread, interval.range.from_ns, interval.range.to_ns,
               [&](std::int64_t from, std::int64_t to, const Why::Path& path) { tree.add(from, to, path); });
    Answer answer{&session,
                  interval,
                  report::thread_text(timeline.actors(), interval.thread),
                  WhyTable(words, tree, form()).causes(),
                  what_ifs.table(interval),
                  {}};
    if (!why.has_runs()) answer.notes.push_back(kNoRuns);
    if (!form().is_indented && !answer.what_if.rows().empty()) answer.notes.push_back(WhatIfs::kBound);
    for (const std::string& sentence : what_ifs.nothing()) {
      become(kExitPartly);
      report_.say(fmt::format("{}: {}", name_, sentence));
    }
    if (why.status().ok()) return answer;
    become(report_.no_answer(why.status()));
    return {};
  }

  static void read(Timeline& timeline, Why& why, std::uint32_t thread) {
    const TimelineItem* item = timeline.next();
    while (item != nullptr && why.take(*item)) item = timeline.next();
    // It may come up at the last moment.
    while (item != nullptr && timeline.actors().threads().size() <= thread) item = timeline.next();
  }

  void read_all(Timeline& timeline, Why& why, Searched* searched) {
    WhySearch search(timeline, options_.asked, {});
    bool is_needed = true;
    while (const TimelineItem* const item = timeline.next()) {
      search.take(*item);
      is_needed = is_needed && why.take(*item);
    }
    take_found(search, searched);
  }

  WhyTable::Form form() const { return {options_.depth, !options_.json && !options_.csv}; }

  void explain_slow(Trace& trace) {
    Timeline timeline(trace, {});
    std::vector<SlowAnswer> answers;
    for (std::size_t i = 0; i < searched_.size() && begin(timeline); ++i) {
      if (!searched_[i].is_answer()) continue;
      SlowAnswer answer{&timeline.actors().session(),
                        compare_slow_spans(timeline, options_.asked, std::move(searched_[i].lengths), form())};
      if (!answer.spans.status.ok()) return become(report_.no_answer(answer.spans.status));
      if (!answer.spans.has_runs) report_.say(fmt::format("{}: {}", name_, kNoRuns));
      if (!options_.json) print(*answer.session, slow_title_of(answer.spans), {&answer.spans.differences});
      answers.push_back(std::move(answer));
    }
    check(timeline.status());
    if (options_.json && !answers.empty()) print_slow_json(answers);
  }

  std::string slow_title_of(const SlowSpans& spans) const {
    return fmt::format("{}: the slowest {} of {} took {} on average; {} of median length took {}",
                       shown(options_.asked.name), spans.slow, spans.count, duration_of(spans.slow_ns), spans.median,
                       duration_of(spans.median_ns));
  }
  static std::string duration_of(std::int64_t ns) { return duration_text(static_cast<std::uint64_t>(ns)); }

  void print_slow_json(const std::vector<SlowAnswer>& answers) {
    append_json_line(out_.text(), [&](JsonObject& json) {
      json.name_text("file", name_);
      json.objects("sessions", answers, [&](JsonObject& each, const SlowAnswer& answer) {
        each.name_text("program", answer.session->program);
        each.name_text("uuid", uuid_text(answer.session->uuid));
        each.name_text("name", options_.asked.name);
        each.number("count", answer.spans.count);
        each.number("slow_count", answer.spans.slow);
        each.number("slow_mean_ns", answer.spans.slow_ns);
        each.number("median_count", answer.spans.median);
        each.number("median_mean_ns", answer.spans.median_ns);
        const Table& table = answer.spans.differences;
        each.value(table.name(), [&](TextBuffer& out) { append_as_json(out, table); });
        each.all_texts("notes", answer.spans.has_runs ? std::vector<std::string>() : std::vector<std::string>{kNoRuns});
      });
    });
  }

  // The slowest of 224; the 2nd slowest of 224.
  std::string rank_of(const WhyInterval& interval) const {
    if (options_.asked.percent == 50.0) return " (the median)";
    if (options_.asked.percent) return fmt::format(" (percentile {:g})", *options_.asked.percent);
    if (interval.rank == 0) return "";
    const std::string ordinal =
        interval.rank == 1 ? "" : fmt::format("{}{} ", interval.rank, end_of_ordinal(interval.rank));
    return fmt::format(" (the {}slowest of {})", ordinal, interval.count);
  }

  std::string title_of(const Answer& answer) const {
    const std::string took = duration_text(answer.interval.length());
    const std::string from = cell_text(Cell(answer.interval.range.from_ns), CellKind::kTime, false);
    const std::string thread = shown(answer.thread);
    if (answer.interval.text.empty()) return fmt::format("{}: {}, from {} s", thread, took, from);
    const char* const verb = answer.interval.has_ended ? "took" : "has taken";
    return fmt::format("{} of {} {} {}, from {} s{}", shown(answer.interval.text), thread, verb, took, from,
                       rank_of(answer.interval));
  }

  void print(const Answer& answer) {
    for (const std::string& note : answer.notes) report_.say(fmt::format("{}: {}", name_, note));
    if (options_.json) return;
    const bool has_what_if = !answer.what_if.rows().empty();
    print(*answer.session, title_of(answer), {&answer.causes, has_what_if ? &answer.what_if : nullptr});
    if (has_what_if && !options_.csv) {
      out_.text() += fmt::format("{}{}\n", Terminal::look().is_markdown ? "\n" : "", WhatIfs::kBound);
    }
  }

  void print(const Session& session, const std::string& title, std::initializer_list<const Table*> tables) {
    TextBuffer& out = out_.text();
    WhereInCsv where;
    if (is_one_of_several_ && options_.csv) where.emplace_back("session", uuid_text(session.uuid));
    for (const Table* const table : tables) {
      if (table == nullptr) continue;
      if (is_printed_) out += options_.csv ? "\r\n" : "\n";
      if (options_.csv) {
        append_as_csv(out, *table, where);
      } else {
        if (table == *tables.begin()) append_title(session, title);
        append_human_readable(out, *table, false, Terminal::look());
      }
      is_printed_ = true;
    }
  }

  // In Markdown a paragraph ends with an empty line.
  void append_title(const Session& session, const std::string& title) {
    const char* const end = Terminal::look().is_markdown ? "\n\n" : "\n";
    if (is_one_of_several_) out_.text() += fmt::format("# session of {}{}", shown_program(session), end);
    out_.text() += title + end;
  }

  void print_json(const std::vector<Answer>& answers) {
    append_json_line(out_.text(), [&](JsonObject& json) {
      json.name_text("file", name_);
      json.objects("sessions", answers, [this](JsonObject& each, const Answer& answer) {
        each.name_text("program", answer.session->program);
        each.name_text("uuid", uuid_text(answer.session->uuid));
        if (!answer.interval.text.empty()) each.name_text("name", answer.interval.text);
        each.name_text("thread", answer.thread);
        each.number("from_ns", answer.interval.range.from_ns);
        each.number("to_ns", answer.interval.range.to_ns);
        each.truth("has_ended", answer.interval.has_ended);
        if (answer.interval.rank > 0) {
          each.number("rank", answer.interval.rank);
          each.number("count", answer.interval.count);
        }
        each.value(answer.causes.name(), [&](TextBuffer& out) { append_as_json(out, answer.causes); });
        if (!options_.what_ifs.empty()) {
          each.value(answer.what_if.name(), [&](TextBuffer& out) { append_as_json(out, answer.what_if); });
        }
        each.all_texts("notes", answer.notes);
      });
    });
  }

  // What of the trace is damaged or truncated is reported at the end.
  void check(const Status& status) {
    if (status.code() == Code::kIo) become(report_.no_answer(status));
  }
  void become(int status) { status_ = std::max(status_, status); }

  WhyArguments& options_;
  Report report_{"evt why"};
  TextOutput out_;
  std::string name_;
  std::vector<Searched> searched_;  // by session
  bool is_one_of_several_ = false;  // sessions
  bool is_printed_ = false;
  int status_ = kExitOk;
};

}  // namespace

int run_why(WhyArguments& options) { return options.is_now() ? run_why_now(options) : WhyCommand(options).run(); }

}  // namespace evt::tools
