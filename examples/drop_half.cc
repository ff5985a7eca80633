// drop_half IN.evt OUT.evt: a filter of traces. Every second event stays, whatever it is. The part between the marks
// is in docs/guide/tools.md.
// [snippet: filter]
#include <evt/block_writer.h>
#include <evt/trace.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: drop_half IN.evt OUT.evt\n"), 2;
  auto trace = evt::Trace::open(argv[1]);
  if (!trace) return std::fprintf(stderr, "drop_half: %s\n", trace.status().message().c_str()), 3;
  evt::EventOptions all;
  all.markers = true;  // losses stay recorded
  evt::Events events = trace->events(all);
  evt::BlockWriter out(argv[2]);
  bool keep = false;
  while (const evt::Event* event = events.next()) {
    const bool marker = event->is_lost() || event->is_jump();
    if (!marker) keep = !keep;
    if (marker || keep) out.write(*event);
  }
  const evt::Status written = out.close();
  if (!written.ok()) return std::fprintf(stderr, "drop_half: %s\n", written.message().c_str()), 3;
  return events.status().ok() ? 0 : 1;
}
// [end]
