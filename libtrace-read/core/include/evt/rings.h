// The rings on this machine: parts of traces that living programs keep in memory, and what killed programs left.
// FORMAT.md, section 12.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Where the rows of a ring belong.
enum class RingTrace : std::uint8_t {
  kThere,    // into the file at `trace`
  kGone,     // into a file that is no longer at `trace`
  kUnknown,  // into a file of unknown path, or whose path is now another file's
  kNone,     // nowhere: the program did not write to a regular file, but to a pipe, for instance
};

// What is known about a ring, as of the time when it was looked at. Claims that could do harm are not trusted.
struct RingInfo {
  std::string path;
  std::uint32_t user = 0;  // its owner
  std::uint64_t size = 0;  // bytes of memory, or of the disk, that it takes
  bool living = false;     // its writer is running
  std::string problem;     // why the members below are unknown; empty: they are known

  std::uint64_t session_id = 0;
  std::int64_t start_utc_ns = 0;  // the session's, since 1970
  std::uint64_t pid = 0;          // 0, with an empty program, for an anonymous session
  std::string program;
  RingTrace trace_state = RingTrace::kNone;
  std::string trace;         // the path of the file that its writer wrote to last; empty: unknown
  std::uint64_t device = 0;  // identifies that file, with its inode
  std::uint64_t inode = 0;   // 0: it was not a regular file
  // The path that the program was given: app.%n.evt for numbered files, app.evt for a flight recorder, whose segments
  // `trace` names. Empty: unknown.
  std::string name;
  std::uint64_t budget_bytes = 0;  // the session deletes its oldest files when they have more; 0: it does not
  std::uint64_t budget_ns = 0;     // or when they are older
};

// Lists the rings of this user, for root of all users, in the folders that may contain rings, also in those of programs
// with other mounts, such as containers; the oldest sessions first, then those with a problem by their paths. Opens no
// trace. Folders that cannot be read are left out. Of a program with other mounts, `pid` is its number here, or 0 if it
// has ended, and paths begin with /proc/PID/root.
std::vector<RingInfo> list_rings();

// Removes a ring, with its rows. Returns an error (kInvalid) if its writer lives, or if its path now has another ring,
// or none.
Status remove_ring(const RingInfo& ring);

}  // namespace evt
#pragma GCC visibility pop
