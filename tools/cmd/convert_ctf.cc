#include <algorithm>
#include <vector>

#include "base/progress.h"
#include "cmd/convert_outputs.h"
#include "cmd/folder_output.h"

namespace evt::tools {
namespace {

// What differs, as sentences. Losses are handed over whatever is chosen.
std::vector<std::string> write_events(Trace& trace, const Selection& selection, Report& report, FolderOutput& folder) {
  EventOptions wanted;
  wanted.markers = true;
  selection.narrow(&wanted);
  CtfTrace ctf(trace, folder);
  Events events = trace.events(wanted);
  Progress progress;
  std::uint64_t all = 0;
  for (const Session& session : trace.sessions()) all += session.rows;
  std::uint64_t count = 0;
  bool goes_on = true;
  while (goes_on) {
    const Event* const event = events.next();
    if (event == nullptr) break;
    if (++count % 65536 == 0) progress.show(count, all);
    if (!event->is_lost() && !selection.wants(*event)) continue;
    report.count_unknown_times(*event);
    goes_on = ctf.take(*event);
  }
  if (goes_on) ctf.end();
  return ctf.left_out();
}

}  // namespace

int convert_to_ctf(Trace& trace, const ConvertArguments& options, Report& report, const std::string& name) {
  auto folder = FolderOutput::open(options.output, OutputMode::of(options.inputs));
  if (!folder) return report.no_answer(folder.status());
  std::vector<std::string> differences;
  if (options.kernel_names) {
    const auto file = ctf_kernel_trace(*folder);
    TextBuffer nothing;
    const Status read = write_timeline(trace, *file, options.selection, nothing, [&] { return folder->status().ok(); });
    if (read.code() == Code::kIo) return report.no_answer(read);
    differences = file->left_out();
  } else {
    differences = write_events(trace, options.selection, report, *folder);
  }
  if (const Status completed = folder->complete(); !completed.ok()) return report.no_answer(completed);
  for (const std::string& sentence : differences) report.say(sentence);
  report.say_left_out(name, trace, false);
  return report.finish(name, trace);
}

}  // namespace evt::tools
