#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/output.h"
#include "base/progress.h"
#include "cmd/convert_outputs.h"

namespace evt::tools {
namespace {

class Conversion {
 public:
  Conversion(Trace& trace, TimelineExport& file, const Selection& selection)
      : trace_(trace), file_(file), selection_(selection) {
    for (const Session& session : trace.sessions()) to_read_ += length_of(session);
    to_read_ *= file.looks_first() ? 2 : 1;
  }

  Status write(TextBuffer& out, const std::function<bool()>& drain) {
    if (file_.looks_first()) look();
    file_.begin(out, trace_);
    Timeline timeline = start();
    const auto take = [&](const TimelineItem& item) { file_.take(out, item); };
    bool goes_on = true;
    while (goes_on && timeline.next_session()) {
      file_.begin_session(out, timeline);
      goes_on = walk(timeline, take, drain);
      file_.end_session(out);
    }
    file_.end(out);
    progress_.clear();
    return timeline.status();
  }

 private:
  static std::uint64_t length_of(const Session& session) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(session.last_ns, 0));
  }

  Timeline start() {
    Timeline::Options wanted;
    wanted.range = [this](const Session& session) { return selection_.range(session); };
    wanted.begins_with_range = true;
    if (selection_.leaves_out_events()) {
      wanted.wanted = [this](const Event& event) { return selection_.counts(event); };
      wanted.wanted_thread = [this](const Event& event, const Actor* thread) {
        return selection_.wants_thread(event, thread);
      };
    }
    return {trace_, std::move(wanted)};
  }

  void look() {
    Timeline timeline = start();
    const auto look = [&](const TimelineItem& item) { file_.look(item); };
    while (timeline.next_session()) {
      file_.look_at_session(timeline);
      walk(timeline, look, [] { return true; });
      file_.end_look();
    }
  }

  // False if `goes_on` was, at some item of the timeline.
  template <typename GoesOn>
  bool walk(Timeline& timeline, const std::function<void(const TimelineItem&)>& take, GoesOn goes_on) {
    std::uint64_t count = 0;
    while (const TimelineItem* const item = timeline.next()) {
      if (++count % 65536 == 0)
        progress_.show(read_ + static_cast<std::uint64_t>(std::max<std::int64_t>(item->ns, 0)), to_read_);
      if (!goes_on()) return false;
      take(*item);
    }
    read_ += length_of(timeline.actors().session());
    return true;
  }

  Trace& trace_;
  TimelineExport& file_;
  const Selection& selection_;
  Progress progress_;
  std::uint64_t to_read_ = 0;  // ns of sessions
  std::uint64_t read_ = 0;
};

}  // namespace

Status write_timeline(Trace& trace, TimelineExport& file, const Selection& selection, TextBuffer& out,
                      const std::function<bool()>& drain) {
  return Conversion(trace, file, selection).write(out, drain);
}

int convert_timeline(Trace& trace, TimelineExport& file, const ConvertArguments& options, Report& report,
                     const std::string& name) {
  std::optional<FileOutput> output;
  if (options.output != "-" || is_binary(*options.format)) {
    auto opened = FileOutput::open(options.output, OutputMode::of(options.inputs));
    if (!opened) return report.no_answer(opened.status());
    output.emplace(*std::move(opened));
  }
  TextOutput out(output ? output->descriptor() : STDOUT_FILENO, output ? output->name() : "standard output");
  const Status written = write_timeline(trace, file, options.selection, out.text(), [&] { return out.drain(); });
  if (!out.flush()) return report.no_answer(out.status());
  if (written.code() == Code::kIo) return report.no_answer(written);
  if (output) {
    if (const Status completed = output->complete(true); !completed.ok()) return report.no_answer(completed);
  }
  for (const std::string& sentence : file.left_out()) report.say(sentence);
  report.say_left_out(name, trace, false);
  return report.finish(name, trace);
}

}  // namespace evt::tools
