#include "dump.h"

#include <evt/trace.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "characters.h"
#include "event_text.h"
#include "output.h"
#include "report.h"
#include "text_form_writer.h"
#include "text_syntax.h"
#include "trace_tables.h"

namespace evt::tools {
namespace {

struct DumpOptions {
  std::string file;
  bool canonical = false;
  bool count = false;
  bool types = false;
  bool streams = false;
  bool header = false;
  std::uint64_t limit = UINT64_MAX;
};

// Lines for people: time, stream and name in columns, then the fields.
class PeopleLines {
 public:
  explicit PeopleLines(const Trace& trace) : several_(trace.sessions().size() > 1) {
    for (const Session& session : trace.sessions()) {
      for (const StreamInfo& stream : session.streams) widen(&stream_width_, columns_of(name_of(stream)), 24);
      for (const EventType& type : session.types) widen(&type_width_, columns_of(shown(type.name())), 32);
    }
  }

  void append(std::string& out, const Event& event) {
    if (&event.session() != session_) {
      session_ = &event.session();
      if (several_) {
        fmt::format_to(std::back_inserter(out), "# session of {}, {}\n", shown(session_->program),
                       utc_text(session_->start_utc_ns));
      }
    }
    const std::size_t start = out.size();
    append_seconds(out, event.ns());
    const std::size_t width = out.size() - start;
    if (width < kTimeWidth) out.insert(start, kTimeWidth - width, ' ');
    out += "  ";
    append_padded(out, name_of(event.stream()), stream_width_);
    out += "  ";
    const std::string type = event.is_lost() || event.is_jump() || !event.type().declared()
                                 ? event.type().name()
                                 : shown(event.type().name());
    append_padded(out, type, type_width_);
    append_fields(out, event, style_);
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  }

 private:
  static constexpr std::size_t kTimeWidth = 14;

  static std::string name_of(const StreamInfo& stream) {
    return stream.name.empty() ? fmt::format("#{}", stream.id) : shown(stream.name);
  }
  static void widen(std::size_t* width, std::size_t wanted, std::size_t most) {
    *width = std::max(*width, std::min(wanted, most));
  }

  bool several_;
  std::size_t stream_width_ = 1;
  std::size_t type_width_ = 1;
  const Session* session_ = nullptr;
  PeopleStyle style_;
};

// Calls line(event) for each event until the limit or until standard output is gone; returns how many there were.
template <typename EachLine>
std::uint64_t each_event(Trace& trace, const DumpOptions& options, Report& report, TextOutput& out, EachLine line) {
  EventOptions wanted;
  wanted.markers = true;
  wanted.by_ns = options.canonical;
  Events events = trace.events(wanted);
  std::uint64_t count = 0;
  while (count < options.limit && out.drain()) {
    const Event* const event = events.next();
    if (event == nullptr) break;
    if (event->is_lost()) report.count_lost(*event);
    if (!event->is_lost() && !event->is_jump()) ++count;
    line(*event);
  }
  return count;
}

void print_events(Trace& trace, const DumpOptions& options, Report& report, TextOutput& out) {
  if (options.count) {
    const std::uint64_t count = each_event(trace, options, report, out, [](const Event&) {});
    out.text() += std::to_string(count) + "\n";
  } else if (options.canonical) {
    TextFormWriter writer(trace);
    each_event(trace, options, report, out, [&](const Event& event) { writer.append(out.text(), event); });
    writer.append_end(out.text());
  } else {
    PeopleLines lines(trace);
    each_event(trace, options, report, out, [&](const Event& event) { lines.append(out.text(), event); });
  }
}

int dump(const DumpOptions& options) {
  Report report("evt dump");
  const bool from_stdin = options.file == "-";
  auto trace = from_stdin ? Trace::open(STDIN_FILENO, "standard input") : Trace::open(options.file);
  if (!trace) return report.no_answer(trace.status());

  TextOutput out;
  if (options.header) append_header(out.text(), *trace);
  if (options.types) append_types(out.text(), *trace);
  if (options.streams) append_streams(out.text(), *trace);
  if (!options.header && !options.types && !options.streams) print_events(*trace, options, report, out);
  if (!out.flush()) return report.no_answer(out.status());
  return report.finish(from_stdin ? "standard input" : options.file, *trace);
}

}  // namespace

std::function<int()> add_dump(CLI::App& app) {
  const auto options = std::make_shared<DumpOptions>();
  app.add_option("file", options->file, "the trace; - is standard input")->required();
  auto* const canonical = app.add_flag("--canonical", options->canonical,
                                       "the text form, from which evt convert makes the same trace again");
  auto* const count = app.add_flag("--count", options->count, "only the number of events");
  auto* const types = app.add_flag("--types", options->types, "the event types instead of events");
  auto* const streams = app.add_flag("--streams", options->streams, "the streams instead of events");
  auto* const header = app.add_flag("--header", options->header, "the sessions, their programs and clocks");
  for (CLI::Option* table : {types, streams, header}) {
    table->excludes(canonical);
    table->excludes(count);
  }
  canonical->excludes(count);
  // CLI11 takes -1 for the largest number.
  const auto is_count = [](const std::string& text) {
    const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits ? "" : fmt::format("expected a number of events, found {}", text);
  };
  app.add_option("--limit", options->limit, "stop after so many events")->check(is_count)->type_name("N");
  app.footer(
      "Example: evt dump app.evt | head\n\n"
      "Exit status: 0 all was read; 1 the trace is damaged or cut, the rest was printed;\n"
      "2 wrong usage; 3 no trace could be read, or the output not written.");
  return [options] { return dump(*options); };
}

}  // namespace evt::tools
