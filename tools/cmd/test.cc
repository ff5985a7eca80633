#include <evt/report.h>
#include <evt/trace.h>
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assertions/assertion.h"
#include "assertions/junit_report.h"
#include "base/json_object.h"
#include "base/output.h"
#include "base/output_mode.h"
#include "base/progress.h"
#include "base/report.h"
#include "base/table_forms.h"
#include "base/terminal.h"
#include "cmd/commands.h"
#include "input/trace_inputs.h"
#include "stats/stats_output.h"

namespace evt::tools {
namespace {

class Test {
 public:
  explicit Test(TestArguments& options) : options_(options), inputs_(trace_inputs(options.files)) {
    out_.set_json_safe(options.json_safe);
  }

  int run() {
    if (const Status status = check_files(options_.files, options_.junit.empty() ? "-" : options_.junit);
        !status.ok()) {
      return report_.usage(status.message());
    }
    for (const std::string& text : options_.assertions) {
      auto assertion = Assertion::parse(text);
      if (!assertion) return report_.usage(assertion.status().message());
      assertions_.push_back(*std::move(assertion));
    }
    if (const Status status = judge_all(); !status.ok()) return report_.usage(status.message());
    print();
    report_.say_if_shortened();
    if (!out_.flush()) become(report_.no_answer(out_.status()));
    if (const Status status = write_junit(); !status.ok()) become(report_.no_answer(status));
    return status_;
  }

 private:
  void become(int status) { status_ = std::max(status_, status); }

  // Errors: kInvalid, of the conditions of the command line.
  Status judge_all() {
    // What names in conditions are depends on all the traces; else one at a time is enough, however many there are.
    const bool together = options_.selection.has_conditions();
    for (std::size_t at = 0; at < inputs_.size();) {
      std::vector<std::optional<Trace>> traces;
      const std::size_t first = at;
      do {
        traces.push_back(open(inputs_[at++]));
      } while (together && at < inputs_.size());
      std::vector<const Trace*> opened;
      for (const std::optional<Trace>& trace : traces) {
        if (trace) opened.push_back(&*trace);
      }
      if (Status status = options_.selection.resolve(opened); !status.ok()) return status;
      for (std::size_t i = 0; i < traces.size(); ++i) {
        if (traces[i]) judge(*traces[i], &judged_[first + i]);
      }
    }
    return {};
  }

  // Adds it to those that are judged. Of what is damaged its index may tell otherwise: it is not believed.
  std::optional<Trace> open(const TraceInput& input) {
    judged_.push_back({input.name(), "", {}});
    auto trace = options_.reading.open(input, report_, kReadWhole);
    if (trace) return *std::move(trace);
    become(report_.no_answer(trace.status()));
    judged_.back().error = trace.status().message();
    return std::nullopt;
  }

  void judge(Trace& trace, JudgedTrace* judged) {
    options_.selection.look_at(trace);
    RunOptions run;
    for (const Assertion& assertion : assertions_) assertion.ask(&run);
    options_.selection.ask(&run);
    run.progress = [this](std::uint64_t done, std::uint64_t total) { progress_.show(done, total); };
    run.failed = [this](const std::string& sentence) { report_.say(sentence); };
    const report::Sampled sampled = report::leave_out_pairing(trace, &run);
    for (const std::string& sentence : {sampled.refused, sampled.counts}) {
      if (!sentence.empty()) report_.say(fmt::format("{}: {}", judged->name, sentence));
    }
    const std::vector<SessionFindings> sessions = report::run_sessions(trace, run);
    if (is_by_index(sessions) || std::ranges::any_of(assertions_, &Assertion::needs_all_read)) read_all(trace);
    progress_.clear();
    for (const Assertion& assertion : assertions_) {
      Verdict verdict = assertion.judge(trace, sessions);
      if (verdict.held != Verdict::Held::kYes) become(kExitPartly);
      if (!verdict.why.empty()) report_.say(fmt::format("{}: {}: {}", judged->name, assertion.text(), verdict.why));
      judged->assertions.push_back({assertion.text(), assertion.text_with_units(), std::move(verdict)});
    }
    say_notes(judged->name, sessions);
    const int whole = report_.finish(judged->name, trace);
    if (whole != kExitOk) judged->error = "it is damaged or truncated";
    become(whole);
    become(report_.say_missing(options_.selection.nowhere_in({&trace})));
  }

  // What is damaged is known of what was read.
  static void read_all(Trace& trace) {
    Events events = trace.events();
    while (events.next() != nullptr) {
    }
  }

  // What is doubtful in what was computed.
  void say_notes(const std::string& name, const std::vector<SessionFindings>& sessions) {
    std::set<std::string> said;
    for (const SessionFindings& session : sessions) {
      for (const auto& [kind, findings] : session.by_analysis) {
        for (const std::string& note : findings.notes) {
          if (said.insert(note).second) report_.say(fmt::format("{}: {}", name, note));
        }
      }
    }
  }

  Table table(bool has_units) const {
    Table table("assertions", 0, {{"held"}, {"value"}, {"assertion"}, {"trace"}});
    if (inputs_.size() < 2) table.hide("trace");
    for (const JudgedTrace& trace : judged_) {
      for (const JudgedTrace::Judged& each : trace.assertions) {
        const std::string& assertion = has_units ? each.with_units : each.assertion;
        table.add({held_text(each.verdict.held), each.verdict.value, assertion, trace.name});
      }
    }
    return table;
  }

  void print() {
    TextBuffer& out = out_.text();
    if (options_.csv) return append_as_csv(out, table(false));
    if (options_.json) return print_json();
    TableLook look = Terminal::look();
    append_human_readable(out, table(true), false, look);
  }

  void print_json() {
    for (const JudgedTrace& trace : judged_) {
      append_json_line(out_.text(), [&](JsonObject& json) {
        json.name_text("file", trace.name);
        json.text("error", trace.error);
        json.objects("assertions", trace.assertions, [](JsonObject& each, const JudgedTrace::Judged& judged) {
          each.name_text("assertion", judged.assertion);
          each.name_text("held", held_text(judged.verdict.held));
          each.name_text("value", judged.verdict.value);
          each.text("why", judged.verdict.why);
        });
      });
    }
  }

  Status write_junit() const {
    if (options_.junit.empty()) return {};
    auto file = FileOutput::open(options_.junit, OutputMode::of(options_.files));
    if (!file) return file.status();
    TextOutput out(file->descriptor(), file->name());
    out.text() += junit_report(judged_);
    return out.flush() ? file->complete(true) : out.status();
  }

  TestArguments& options_;
  std::vector<TraceInput> inputs_;
  Report report_{"evt test"};
  Progress progress_;
  TextOutput out_;
  std::vector<Assertion> assertions_;
  std::vector<JudgedTrace> judged_;
  int status_ = kExitOk;
};

}  // namespace

int run_test(TestArguments& options) { return Test(options).run(); }

}  // namespace evt::tools
