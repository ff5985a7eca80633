#include <evt/analysis/why.h>
#include <fmt/core.h>

#include <algorithm>
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
#include "why/why_search.h"
#include "why/why_table.h"
#include "why/why_tree.h"

namespace evt::tools {
namespace {

constexpr const char* kNoRuns =
    "no event records when threads run: what is not a call about an object is running or waiting";

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
    search(*trace);
    explain(*trace);
    if (!out_.flush()) return report_.no_answer(out_.status());
    return std::max(status_, report_.finish(name_, *trace));
  }

 private:
  struct Searched {
    std::optional<WhyInterval> found;
    std::optional<std::uint64_t> length;
    std::string nothing;  // why none is found
  };
  struct Answer {
    const Session* session = nullptr;
    WhyInterval interval;
    std::string thread;
    Table causes;
    std::vector<std::string> notes;
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
    if (std::ranges::any_of(searched_, [](const Searched& each) { return each.found.has_value(); })) return;
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
      search.finish();
      searched_[i] = {search.found(), search.length(), search.found() ? "" : search.nothing()};
      is_again |= search.length() && !search.found();
    }
    check(timeline.status());
    return is_again;
  }

  void explain(Trace& trace) {
    Timeline timeline(trace, {});
    std::vector<Answer> answers;
    for (std::size_t i = 0; i < searched_.size() && begin(timeline); ++i) {
      if (!searched_[i].found) continue;
      const WhyInterval& interval = *searched_[i].found;
      Why why(timeline, interval.range);
      const TimelineItem* item = timeline.next();
      while (item != nullptr && why.take(*item)) item = timeline.next();
      // It may come up at the last moment.
      while (item != nullptr && timeline.actors().threads().size() <= interval.thread) item = timeline.next();
      WhyTree tree;
      why.divide(interval.thread, interval.range.from_ns, interval.range.to_ns,
                 [&](std::int64_t from, std::int64_t to, const Why::Path& path) { tree.add(from, to, path); });
      if (!why.status().ok()) return become(report_.no_answer(why.status()));
      Answer answer{&timeline.actors().session(),
                    interval,
                    report::thread_text(timeline.actors(), interval.thread),
                    WhyTable(timeline, why, tree, options_.depth, !options_.json && !options_.csv).table(),
                    {}};
      if (!why.has_runs()) answer.notes.push_back(kNoRuns);
      print(answer, searched_.size() > 1);
      answers.push_back(std::move(answer));
    }
    check(timeline.status());
    if (options_.json && !answers.empty()) print_json(answers);
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

  void print(const Answer& answer, bool is_one_of_several) {
    TextBuffer& out = out_.text();
    for (const std::string& note : answer.notes) report_.say(fmt::format("{}: {}", name_, note));
    if (options_.json) return;
    if (options_.csv) {
      WhereInCsv where;
      if (is_one_of_several) where.emplace_back("session", uuid_text(answer.session->uuid));
      if (is_printed_) out += "\r\n";
      append_as_csv(out, answer.causes, where);
    } else {
      if (is_printed_) out += '\n';
      if (is_one_of_several) out += fmt::format("# session of {}\n", shown_program(*answer.session));
      out += title_of(answer) + '\n';
      append_human_readable(out, answer.causes, false, Terminal::look());
    }
    is_printed_ = true;
  }

  void print_json(const std::vector<Answer>& answers) {
    append_json_line(out_.text(), [&](JsonObject& json) {
      json.name_text("file", name_);
      json.objects("sessions", answers, [](JsonObject& each, const Answer& answer) {
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
  bool is_printed_ = false;
  int status_ = kExitOk;
};

}  // namespace

int run_why(WhyArguments& options) { return options.is_now() ? run_why_now(options) : WhyCommand(options).run(); }

}  // namespace evt::tools
