#include "cmd_list.h"

#include <evt/rings.h>
#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "cli/list_options.h"
#include "output.h"
#include "report.h"
#include "ring_forms.h"
#include "terminal.h"

namespace evt::tools {
namespace {

// By its path, the name of its file, its session, or its trace, which may have been moved.
bool is_called(const RingInfo& ring, const std::string& name) {
  if (name == ring.path || name == ring.path.substr(ring.path.rfind('/') + 1)) return true;
  if (!ring.problem.empty()) return false;
  struct stat status;
  const bool is_trace = ring.inode != 0 && stat(name.c_str(), &status) == 0 && status.st_dev == ring.device &&
                        status.st_ino == ring.inode;
  std::error_code none;
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(name, none), none);
  return is_trace || name == session_text(ring) || (!ring.trace.empty() && path == ring.trace);
}

// Those that were named, or all; kExitPartly when there is none of some name.
int choose(const std::vector<std::string>& names, std::vector<RingInfo>& rings, const Report& report) {
  if (names.empty()) return kExitOk;
  int status = kExitOk;
  std::vector<RingInfo> chosen;
  std::vector<bool> is_chosen(rings.size());
  for (const std::string& name : names) {
    bool any = false;
    for (std::size_t i = 0; i < rings.size(); ++i) {
      if (!is_called(rings[i], name)) continue;
      any = is_chosen[i] = true;
    }
    if (any) continue;
    report.say(name + ": there is no ring of this name, session or trace");
    status = kExitPartly;
  }
  for (std::size_t i = 0; i < rings.size(); ++i) {
    if (is_chosen[i]) chosen.push_back(std::move(rings[i]));
  }
  rings = std::move(chosen);
  return status;
}

// Without its name. Where its trace may be, its rows are not given up; and a program that begins has no header yet.
bool is_useless(const RingInfo& ring, bool all) {
  if (ring.living) return false;
  const bool is_known = ring.problem.empty() && ring.trace_state != RingTrace::kUnknown;
  return is_known ? ring.trace_state != RingTrace::kThere : all;
}

// Leaves those that were removed; kExitPartly when one that was to be could not be.
int remove(const ListArguments& options, std::vector<RingInfo>& rings, const Report& report) {
  int status = kExitOk;
  std::vector<RingInfo> removed;
  for (RingInfo& ring : rings) {
    if (options.names.empty() && !is_useless(ring, options.all)) continue;
    const Status done = remove_ring(ring);
    if (done.ok()) {
      removed.push_back(std::move(ring));
    } else {
      report.say(done.message());
      status = kExitPartly;
    }
  }
  rings = std::move(removed);
  return status;
}

}  // namespace

int run_list(ListArguments& options) {
  const Report report("evt list");
  std::vector<RingInfo> rings = list_rings();
  int status = choose(options.names, rings, report);
  if (options.remove) status = std::max(status, remove(options, rings, report));
  TextOutput out;
  out.set_json_safe(options.json_safe);
  if (options.json) {
    append_rings_as_json(out.text(), rings);
  } else if (options.remove) {
    append_removed(out.text(), rings);
  } else if (!rings.empty()) {
    append_rings(out.text(), rings, Terminal::look());
  }
  if (rings.empty() && status == kExitOk && !options.json)
    report.say(options.remove ? "no ring to remove" : "no rings");
  if (!out.flush()) return report.no_answer(out.status());
  return status;
}

}  // namespace evt::tools
