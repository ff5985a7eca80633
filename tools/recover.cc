#include "recover.h"

#include <errno.h>
#include <evt/trace.h>
#include <fmt/core.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>

#include "holdings.h"

namespace evt::tools {
namespace {

bool has_living_writer(const Trace& trace) {
  return std::any_of(trace.sessions().begin(), trace.sessions().end(),
                     [](const Session& session) { return session.ring == RingState::kLive; });
}

// What is read of the rings stays locked: no program that starts puts it into the file, or removes it, meanwhile.
Result<Trace> open_with_rings(const RecoverableFile& file, std::string_view ring) {
  return Trace::open(file.descriptor(), file.name(), {.lock_rings = true, .ring = ring, .use_index = false});
}

// A copy must not take away the ring of the trace that it was made of.
int say_rings_of_others(const std::string& name, const Trace& trace, const Report& report) {
  int status = kExitOk;
  for (const Session& session : trace.sessions()) {
    if (session.ring != RingState::kOther) continue;
    report.say(session.ring_file.empty()
                   ? fmt::format("{}: its ring {} belongs to another file", name, session.ring_name)
                   : fmt::format("{}: its ring belongs to {}: recover that one", name, session.ring_file));
    report.say(fmt::format("{}: if it is a copy, evt check --recover --ring {} puts the ring's rows into it", name,
                           session.ring_name));
    status = kExitPartly;
  }
  return status;
}

// What was written may not be what can be read.
int compare(const RecoverableFile& file, const Holdings& before, const Report& report) {
  auto trace = Trace::open(file.descriptor(), file.name(), {.rings = false, .use_index = false});
  if (!trace) return report.no_answer(trace.status());
  const std::string difference = before.difference(Holdings(*trace));
  if (difference.empty()) return kExitOk;
  report.say(fmt::format("{}: read again, it has {} with its ring: the ring stays", file.name(), difference));
  return kExitPartly;
}

// Writes into the file what the rings have that it lacks.
int complete(Trace& trace, bool is_busy, RecoverableFile& file, const Report& report) {
  if (has_living_writer(trace)) {
    report.say(file.name() + ": its writer still runs: there is nothing to recover yet");
    return kExitPartly;
  }
  const Trace::Recovery& recovery = trace.recovery();
  if (recovery.rings.empty()) return kExitOk;
  if (is_busy) {
    report.say(file.name() + ": another program writes to it or recovers it: nothing was recovered");
    return kExitPartly;
  }
  const Holdings before(trace);
  if (const Status written = file.replace_end(recovery.file_size, recovery.blocks); !written.ok()) {
    return report.no_answer(written);
  }
  return compare(file, before, report);
}

void say_rows(const Trace& trace, const RecoverableFile& file, const Report& report) {
  std::uint64_t rows = 0;
  for (const Session& session : trace.sessions()) rows += session.ring_rows;
  report.say(fmt::format("{}: {} row{} from its ring {} in the file now", file.name(), rows, rows == 1 ? "" : "s",
                         rows == 1 ? "is" : "are"));
}

}  // namespace

int recover(RecoverableFile& file, const Report& report) {
  const bool is_busy = !file.lock();
  auto trace = open_with_rings(file, {});
  if (!trace) return report.no_answer(trace.status());
  const int others = say_rings_of_others(file.name(), *trace, report);
  if (const int status = complete(*trace, is_busy, file, report); status != kExitOk) return status;
  const std::vector<std::string>& rings = trace->recovery().rings;
  if (rings.empty()) return others;
  for (const std::string& ring : rings) {
    if (unlink(ring.c_str()) == 0 || errno == ENOENT) continue;
    return report.no_answer({Code::kIo, fmt::format("cannot remove {}: {}", ring, strerror(errno))});
  }
  say_rows(*trace, file, report);
  return others;
}

int recover_from(const std::string& ring, RecoverableFile& file, const Report& report) {
  const bool is_busy = !file.lock();
  auto trace = open_with_rings(file, ring);
  if (!trace) return report.no_answer(trace.status());
  if (trace->recovery().rings.empty()) {
    return report.no_answer(
        {Code::kInvalid,
         fmt::format("{}: {} is no ring of a session of it that was not closed, and of its user", file.name(), ring)});
  }
  const int status = complete(*trace, is_busy, file, report);
  if (status == kExitOk) say_rows(*trace, file, report);
  return status;
}

}  // namespace evt::tools
