#include <evt/rings.h>
#include <evt/segments.h>
#include <evt/switch_types.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <string>

#include "cmd/commands.h"
#include "input/program_trace.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

// That of a program, by its names, or by the trace that it writes to.
Result<RingInfo> ring_called(const std::string& name) {
  if (ProgramTrace::is_name(name)) return ProgramTrace::ring_of(name);
  struct stat facts {};
  const bool is_file = ::stat(name.c_str(), &facts) == 0;
  const std::uint64_t session = is_file ? first_session_of(name) : 0;
  for (const RingInfo& ring : list_rings()) {
    if (!is_file || !ring.problem.empty()) continue;
    const bool is_output = ring.inode != 0 && ring.inode == facts.st_ino && ring.device == facts.st_dev;
    if (is_output || (session != 0 && ring.session_id == session)) return ring;
  }
  return Status(Code::kInvalid, "this program has no ring; evt list shows all rings");
}

}  // namespace

int run_switch(SwitchArguments& options) {
  const Report report("evt switch");
  const auto ring = ring_called(options.program);
  const auto done = ring ? switch_types(*ring, options.glob, options.on) : Result<bool>(ring.status());
  if (!done) return report.no_answer({done.status().code(), shown(options.program) + ": " + done.status().message()});
  if (*done) return kExitOk;
  report.say(fmt::format("{}: the program is not active now; it switches {} {} when it is", shown(options.program),
                         shown(options.glob), options.on ? "on" : "off"));
  return kExitPartly;
}

}  // namespace evt::tools
