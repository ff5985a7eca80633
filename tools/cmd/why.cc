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
#include "libtrace-read/text/shown.h"
#include "why/slow_spans.h"
#include "why/what_if.h"
#include "why/why_names.h"

namespace evt::tools {
namespace {

// st, nd, rd or th.
const char* end_of_ordinal(std::uint64_t number) {
  if (number % 100 >= 11 && number % 100 <= 13) return "th";
  return number % 10 == 1 ? "st" : number % 10 == 2 ? "nd" : number % 10 == 3 ? "rd" : "th";
}

class WhyCommand {
 public:
  explicit WhyCommand(WhyArguments& options) : options_(options) {
    out_.set_json_safe(options.json_safe);
    options_.asked.range = [&options](const Session& session) { return options.range.range(session); };
    if (options.at) options_.asked.at = [&options](const Session& session) { return options.at->in(session); };
  }

  int run() {
    auto trace = options_.reading.open(trace_input(options_.file), report_);
    if (!trace) return report_.no_answer(trace.status());
    name_ = Reading::name_of(options_.file);
    if (const Status paired = report::check_spans_are_paired(*trace); !paired.ok()) {
      return report_.no_answer({paired.code(), name_ + ": " + paired.message()});
    }
    for (const Status& status :
         {check_times(options_.range.from, options_.range.to, {&*trace}), check_times(options_.at, {&*trace})}) {
      if (!status.ok()) return report_.usage(fmt::format("{}: {}", name_, status.message()));
    }
    is_one_of_several_ = trace->sessions().size() > 1;
    WhyAnswers answers(*trace, options_.asked);
    if (!options_.asked.name.empty()) answers.search();
    if (!options_.asked.name.empty()) report_nothing(answers);
    options_.asked.slow ? explain_slow(*trace, answers) : explain(answers);
    if (options_.asked.name.empty()) report_nothing(answers);
    check(answers.status());
    if (!out_.flush()) return report_.no_answer(out_.status());
    return std::max(status_, report_.finish(name_, *trace));
  }

 private:
  struct Answer : WhyAnswer {
    Table what_if;
    std::vector<std::string> notes;
  };
  struct SlowAnswer {
    const Session* session = nullptr;
    SlowSpans spans;
  };

  // What would be shorter, in the pass that explains.
  class Beside : public report::BesideWhy {
   public:
    explicit Beside(const std::vector<WhatIf>& asked) : asked_(&asked) {}

    void begin(Timeline& timeline, Why& why, const WhyWords& words) override {
      what_ifs_.emplace(*asked_, timeline, why, words);
    }
    void finish(const WhyInterval& interval) override {
      table_ = what_ifs_->table(interval);
      nothing_ = what_ifs_->nothing();
    }
    const Table& table() const { return table_; }
    // Sentences about what is not there.
    const std::vector<std::string>& nothing() const { return nothing_; }

   private:
    const std::vector<WhatIf>* asked_;
    std::optional<WhatIfs> what_ifs_;
    Table table_{"what_if", 0, {}};
    std::vector<std::string> nothing_;
  };

  // Before lengths are taken from it.
  void report_nothing(const WhyAnswers& answers) {
    const std::string nothing = answers.nothing();
    if (nothing.empty()) return;
    become(kExitPartly);
    report_.say(fmt::format("{}: {}", name_, nothing));
  }

  void explain(WhyAnswers& found) {
    Beside beside(options_.what_ifs);
    std::vector<Answer> answers;
    found.explain(form(), &beside, [&](WhyAnswer answer) {
      Answer& added = answers.emplace_back(Answer{std::move(answer), beside.table(), {}});
      if (!added.has_runs) added.notes.emplace_back(report::kWhyNoRuns);
      if (!form().is_indented && !added.what_if.rows().empty()) added.notes.emplace_back(WhatIfs::kBound);
      for (const std::string& sentence : beside.nothing()) {
        become(kExitPartly);
        report_.say(fmt::format("{}: {}", name_, sentence));
      }
      print(added);
    });
    if (options_.json && !answers.empty()) print_json(answers);
  }

  WhyTable::Form form() const {
    const bool is_text = !options_.json && !options_.csv;
    return {options_.depth, is_text, is_text && options_.depth == SIZE_MAX};
  }

  void explain_slow(Trace& trace, WhyAnswers& found) {
    Timeline timeline(trace, {});
    std::vector<SlowAnswer> answers;
    for (std::size_t i = 0; i < found.searched().size() && WhyAnswers::begin(timeline); ++i) {
      report::WhySearched& searched = found.searched()[i];
      if (!searched.is_answer()) continue;
      SlowAnswer answer{&timeline.actors().session(),
                        compare_slow_spans(timeline, options_.asked, std::move(searched.lengths), form())};
      if (!answer.spans.status.ok()) return become(report_.no_answer(answer.spans.status));
      if (!answer.spans.has_runs) report_.say(fmt::format("{}: {}", name_, report::kWhyNoRuns));
      if (!options_.json) print(*answer.session, slow_title_of(answer.spans), {&answer.spans.differences});
      answers.push_back(std::move(answer));
    }
    check(timeline.status());
    if (options_.json && !answers.empty()) print_slow_json(answers);
  }

  std::string slow_title_of(const SlowSpans& spans) const {
    return fmt::format("{}: the slowest {} of {} took {} on average; {} of median duration took {}",
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
        each.all_texts(
            "notes", answer.spans.has_runs ? std::vector<std::string>() : std::vector<std::string>{report::kWhyNoRuns});
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
  bool is_one_of_several_ = false;  // sessions
  bool is_printed_ = false;
  int status_ = kExitOk;
};

}  // namespace

int run_why(WhyArguments& options) { return options.is_now() ? run_why_now(options) : WhyCommand(options).run(); }

}  // namespace evt::tools
