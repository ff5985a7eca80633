#include <evt/trace.h>

#include <string_view>

#include "base/output.h"
#include "base/report.h"
#include "cmd/block_sender.h"
#include "cmd/commands.h"
#include "cmd/snapshot_taker.h"
#include "cmd/snapshot_watch.h"

namespace evt::tools {

namespace {

constexpr std::string_view kUnix = "unix:";

int run_followed(const SnapshotArguments& options, const SnapshotTaker& taker, Report& report) {
  const TraceInput& input = taker.input();
  if (!input.program && input.first() == "-")
    return report.usage("--follow takes a file, because a pipe grows by itself");
  if (!input.program && is_trace_folder(input.first())) {
    return report.usage("--follow takes a file, and " + input.first() + " is a folder");
  }
  BlockSender sender(input, taker.session_id(), report);
  if (options.output.starts_with(kUnix)) return sender.send_to_socket(options.output.substr(kUnix.size()));
  auto output = FileOutput::open(options.output, OutputMode::of(input.paths()));
  return output ? sender.send_to_pipe(output->descriptor()) : report.no_answer(output.status());
}

}  // namespace

int run_snapshot(SnapshotArguments& options) {
  Report report("evt snapshot");
  SnapshotTaker taker(options, report);
  if (options.follow) return run_followed(options, taker, report);
  if (const Status status = check_files(taker.input().paths(), options.output); !status.ok()) {
    return report.usage(status.message());
  }
  if (!options.trigger.events.empty()) return SnapshotWatch(options, taker, report).run();
  auto trace = taker.open();
  if (!trace) return report.no_answer(trace.status());
  if (const Status status = options.selection.resolve({&*trace}); !status.ok()) return report.usage(status.message());
  SnapshotTaker::RangeOf range;
  if (options.selection.from) {
    range = [&](const Session& session) { return options.selection.range(session); };
  }
  if (const Status taken = taker.take(*trace, range, ""); !taken.ok()) return report.no_answer(taken);
  return taker.finish(*trace);
}

}  // namespace evt::tools
