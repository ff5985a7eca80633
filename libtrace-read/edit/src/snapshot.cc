#include <evt/snapshot.h>

#include "session_cut.h"

namespace evt {

Status snapshot(Trace& trace, const SnapshotOptions& options, const TakeBytes& take) {
  CutOptions all;
  all.state = false;
  all.writer = options.writer;
  all.progress = options.progress;
  for (SessionData& data : TraceData::of(trace).data) {
    if (options.session && !options.session(*data.session)) continue;
    Status status = SessionCut(trace, data, all, take, SessionCut::Shape::kSnapshot).run();
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace evt
