#include <evt/rings.h>
#include <evt/switch_types.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/commands.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

constexpr std::string_view kPid = "pid:";

std::optional<std::uint64_t> pid_in(std::string_view name) {
  if (!name.starts_with(kPid)) return std::nullopt;
  name.remove_prefix(kPid.size());
  std::uint64_t pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(pid) : std::nullopt;
}

// The rings of a program, by its pid, or by the trace that it writes to.
std::vector<RingInfo> rings_called(const std::string& name) {
  std::vector<RingInfo> rings = list_rings();
  const std::optional<std::uint64_t> pid = pid_in(name);
  struct stat facts {};
  const bool is_file = !pid && ::stat(name.c_str(), &facts) == 0;
  std::erase_if(rings, [&](const RingInfo& ring) {
    if (!ring.problem.empty()) return true;
    if (pid) return ring.pid != *pid;
    return !is_file || ring.inode == 0 || ring.inode != facts.st_ino || ring.device != facts.st_dev;
  });
  return rings;
}

}  // namespace

int run_switch(SwitchArguments& options) {
  const Report report("evt switch");
  const std::vector<RingInfo> rings = rings_called(options.program);
  if (rings.empty()) {
    return report.no_answer(
        {Code::kInvalid, fmt::format("{}: no ring of such a program; evt list shows those that there "
                                     "are",
                                     shown(options.program))});
  }
  int status = kExitOk;
  for (const RingInfo& ring : rings) {
    const auto done = switch_types(ring, options.glob, options.on);
    if (!done) return report.no_answer({done.status().code(), shown(options.program) + ": " + done.status().message()});
    if (*done) continue;
    report.say(fmt::format("{}: the program does not work now; it switches {} {} when it does", shown(options.program),
                           shown(options.glob), options.on ? "on" : "off"));
    status = kExitPartly;
  }
  return status;
}

}  // namespace evt::tools
