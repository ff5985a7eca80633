// The rings that there are on this machine: what living programs keep in memory of their traces, and what killed ones
// left of theirs. FORMAT.md, section 12.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Where the rows of a ring belong.
enum class RingTrace : std::uint8_t {
  kThere,    // into the file at `trace`
  kGone,     // into a file that is at `trace` no more
  kUnknown,  // into a file of which the path is not known, or at whose path there is another file
  kNone,     // nowhere: the program wrote to what is no regular file, such as a pipe
};

// What was found out about one, when it was looked at: nothing of it is believed that could do harm.
struct RingInfo {
  std::string path;
  std::uint32_t user = 0;  // its owner
  std::uint64_t size = 0;  // bytes of memory, or of the disk, that it takes
  bool living = false;     // its writer has it
  std::string problem;     // why nothing of what follows is known; empty: it is

  std::uint64_t session_id = 0;
  std::int64_t start_utc_ns = 0;  // of the session, since 1970
  std::uint64_t pid = 0;          // 0, and an empty program: of an anonymous session
  std::string program;
  RingTrace trace_state = RingTrace::kNone;
  std::string trace;                          // the path as its writer had it; empty: not known
  std::uint64_t device = 0;                   // of that file, and its inode: by these it is known again
  std::uint64_t inode = 0;                    // 0: it was no regular file
  std::optional<std::uint64_t> missing_rows;  // of kThere, from a dead writer: those that the trace does not have
};

// Those of this user, for root of all users, in the folders where rings are looked for; the oldest sessions first, then
// those with a problem by their paths. Of each dead writer's whose trace is there, the trace is opened. What cannot be
// read of a folder is left out.
std::vector<RingInfo> list_rings();

// Removes one, with the rows that are in it. An error (kInvalid) if its writer lives, or another ring, or none, is at
// its path by now.
Status remove_ring(const RingInfo& ring);

}  // namespace evt
#pragma GCC visibility pop
