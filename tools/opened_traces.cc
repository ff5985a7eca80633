#include "opened_traces.h"

#include <utility>

namespace evt::tools {

std::vector<OpenedTrace> open_traces(const std::vector<TraceInput>& inputs, const Reading& reading, Report& report,
                                     int* status) {
  std::vector<OpenedTrace> opened;
  for (const TraceInput& input : inputs) {
    auto trace = reading.open(input, report);
    if (trace) {
      opened.push_back({input.name(), *std::move(trace)});
    } else {
      *status = report.no_answer(trace.status());
    }
  }
  return opened;
}

std::vector<const Trace*> traces_of(const std::vector<OpenedTrace>& opened) {
  std::vector<const Trace*> traces;
  traces.reserve(opened.size());
  for (const OpenedTrace& each : opened) traces.push_back(&each.trace);
  return traces;
}

}  // namespace evt::tools
