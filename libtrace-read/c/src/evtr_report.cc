// Analyses, and their tables as streams of Arrow arrays.
#include <evt/reader.h>
#include <evt/report.h>

#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow_array.h"
#include "arrow_stream.h"
#include "guarded.h"
#include "libtrace-read/report/shared/analysis_options.h"
#include "libtrace-read/report/shared/findings_columns.h"
#include "libtrace-read/report/shared/why_answers.h"
#include "libtrace-read/text/shown.h"
#include "open_traces.h"

struct evtr_report {
  std::shared_ptr<evt::reader::OpenTraces> open;  // owns the sessions of the findings
  std::vector<std::string> analyses;
  std::vector<evt::report::SessionFindings> sessions;
  std::vector<std::string> tables;
  std::vector<std::string> notes;
};

namespace evt::reader {
namespace {

using report::FindingsColumns;

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    words.emplace_back(text.substr(0, comma));
    if (comma == text.size()) return words;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::string> words_of(const char* const* words, std::size_t count) { return {words, words + count}; }

Status take_options(const evtr_report_options& given, report::RunOptions* to) {
  report::AnalysisOptions& options = to->analysis;
  to->range = range_in(given.range);
  to->whole_session = given.whole_session != 0;
  if (given.by != nullptr) options.by = split(given.by);
  if (given.every_ns != 0) options.every = given.every_ns;
  if (given.has_cost != 0) options.cost_ps = given.cost_ps;
  options.subtract = given.subtract != 0;
  options.longest = static_cast<std::size_t>(std::min<std::uint64_t>(given.longest, SIZE_MAX));
  options.share.compare = given.compare_models != 0;
  options.calls.fold = given.fold != 0;
  options.calls.waiting = given.waiting != 0;
  options.calls.threads = words_of(given.threads, given.thread_count);
  options.calls.callers = words_of(given.callers, given.caller_count);
  options.calls.callees = words_of(given.callees, given.callee_count);
  if (given.from_event != nullptr) options.pairs.from = given.from_event;
  if (given.to_event != nullptr) options.pairs.to = given.to_event;
  if (given.key != nullptr) options.pairs.key = given.key;
  if (given.model != nullptr) {
    const auto model = report::share_model(given.model);
    if (!model) {
      return {Code::kInvalid, std::string("model: expected running, existing or phase, found ") + given.model};
    }
    options.share.model = *model;
  }
  for (const std::string& text : words_of(given.limits, given.limit_count)) {
    const auto limit = report::parse_limit(text);
    if (!limit) return {Code::kInvalid, "limit: expected KIND=AMOUNT/s like disk=100M/s, found " + text};
    options.limits.push_back(*limit);
  }
  return {};
}

// Why a trace has no answer at all: its events were sampled, and all requested analyses pair them. Empty: it has one,
// or there is another reason.
std::string refusal_of(const Trace& trace, report::RunOptions asked) {
  const report::Sampled sampled = report::leave_out_pairing(trace, &asked);
  return asked.kinds.empty() && !asked.summary ? sampled.refused : "";
}

evtr_report* open_report(evtr_trace* trace, const char* analyses, const evtr_report_options& given, evtr_error* error) {
  auto made = std::make_unique<evtr_report>();
  made->open = trace->open;
  made->analyses = split(analyses);
  report::RunOptions options;
  Status status = take_options(given, &options);
  report::RunOptions asked = options;
  if (status.ok()) status = report::ask(made->analyses, &asked);
  if (!status.ok()) {
    set_error(error, status);
    return nullptr;
  }
  std::deque<Trace>& traces = trace->open->traces();
  std::size_t refused = 0;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const std::string front = traces.size() == 1 ? "" : shown(trace->open->path(i)) + ": ";
    // If there are several traces, only those that were sampled are left out.
    const std::string lack = traces.size() == 1 ? "" : refusal_of(traces[i], asked);
    if (!lack.empty() && ++refused < traces.size()) {
      made->notes.push_back(front + lack);
      continue;
    }
    Result<report::Answer> found = report::answer(traces[i], made->analyses, options);
    if (!found) {
      set_error(error, Status(found.status().code(), front + found.status().message()));
      return nullptr;
    }
    std::move(found->sessions.begin(), found->sessions.end(), std::back_inserter(made->sessions));
    for (const std::string& note : found->notes) made->notes.push_back(front + note);
  }
  made->tables = report::tables_in(made->sessions);
  return made.release();
}

Result<report::WhyAsked> asked_by(const evtr_why_options& given) {
  report::WhyAsked asked;
  if (given.name != nullptr) asked.name = given.name;
  if (given.thread != nullptr) asked.thread = given.thread;
  if (given.nth != 0) asked.nth = given.nth;
  if (given.has_percentile != 0) asked.percent = given.percentile;
  if (given.has_at != 0) asked.at = [ns = given.at_ns](const Session&) { return ns; };
  asked.range = range_in(given.range);
  if (Status status = asked.check(); !status.ok()) return status;
  return asked;
}

// One trace that has what is asked for is enough.
evtr_report* open_why(evtr_trace* trace, const evtr_why_options& given, evtr_error* error) {
  auto made = std::make_unique<evtr_report>();
  made->open = trace->open;
  made->analyses = {"why"};
  const Result<report::WhyAsked> asked = asked_by(given);
  Status status = asked.status();
  std::deque<Trace>& traces = trace->open->traces();
  for (std::size_t i = 0; asked && i < traces.size(); ++i) {
    const std::string front = traces.size() == 1 ? "" : shown(trace->open->path(i)) + ": ";
    Result<report::Answer> found = report::why(traces[i], *asked);
    if (!found) {
      status = {found.status().code(), front + found.status().message()};
      made->notes.push_back(status.message());
      if (status.code() == Code::kIo) break;
      continue;
    }
    std::move(found->sessions.begin(), found->sessions.end(), std::back_inserter(made->sessions));
    for (const std::string& note : found->notes) made->notes.push_back(front + note);
  }
  if (status.code() == Code::kIo || made->sessions.empty()) {
    set_error(error, status);
    return nullptr;
  }
  made->tables = report::tables_in(made->sessions);
  return made.release();
}

// A table, which is one array.
struct ReportRows {
  std::unique_ptr<FindingsColumns> columns;
  bool is_taken = false;

  const Table& table() const { return columns->table; }

  int next(ArrowArray* out, evtr_error*) {
    if (!std::exchange(is_taken, true) && columns->rows.rows() > 0) export_rows(std::move(columns->rows), out);
    return 0;
  }
};

evtr_text text_at(const std::vector<std::string>& texts, std::size_t place) {
  if (place >= texts.size()) return {"", 0};
  return {texts[place].c_str(), texts[place].size()};
}

}  // namespace
}  // namespace evt::reader

using namespace evt::reader;

extern "C" {

evtr_report* evtr_report_open_1(evtr_trace* trace, const char* analyses, const evtr_report_options* options,
                                size_t options_size, evtr_error* error) {
  return guarded<evtr_report*>(error, nullptr,
                               [&] { return open_report(trace, analyses, given(options, options_size), error); });
}

evtr_report* evtr_why_open_1(evtr_trace* trace, const evtr_why_options* options, size_t options_size,
                             evtr_error* error) {
  return guarded<evtr_report*>(error, nullptr, [&] { return open_why(trace, given(options, options_size), error); });
}

void evtr_report_close(evtr_report* report) { delete report; }

size_t evtr_report_table_count(const evtr_report* report) { return report->tables.size(); }

evtr_text evtr_report_table_name(const evtr_report* report, size_t table) { return text_at(report->tables, table); }

evtr_text evtr_report_note(const evtr_report* report, size_t note) { return text_at(report->notes, note); }

int evtr_report_table(const evtr_report* report, const char* name, struct ArrowArrayStream* to, evtr_error* error) {
  *to = {};
  return guarded(error, 0, [&] {
    auto columns = evt::report::columns_of(report->sessions, report->analyses, name);
    if (!columns) {
      set_error(error, columns.status());
      return 0;
    }
    ArrowStream<ReportRows>::open({*std::move(columns)}, to);
    return 1;
  });
}

}  // extern "C"
