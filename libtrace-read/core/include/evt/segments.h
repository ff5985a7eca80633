// The files of a session that goes on from file to file: its segments (FORMAT.md, section 6.7).
#pragma once

#include <evt/cpp20.h>

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// The files that begin with a block of this session, of `path` and those in its folder whose names differ from its own
// in a number of six digits or more, like app.000007.evt, and that belong to the same user; in the order of their
// names. For Trace::open(): a writer that deletes old files may have deleted `path`, or any of them, meanwhile.
std::vector<std::string> segments_beside(const std::string& path, std::uint64_t session_id);
// The session of the first block of a regular file; 0 if it does not begin with one.
std::uint64_t first_session_of(const std::string& path);

}  // namespace evt
#pragma GCC visibility pop
