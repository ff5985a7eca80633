#include <evt/trace.h>

#include "base/report.h"
#include "cmd/commands.h"
#include "cmd/snapshot_taker.h"
#include "cmd/snapshot_watch.h"

namespace evt::tools {

int run_snapshot(SnapshotArguments& options) {
  Report report("evt snapshot");
  SnapshotTaker taker(options, report);
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
