// Segments of sessions in the folders of rings: files of a trace that its other files do not name. FORMAT.md, section
// 12.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

struct RingSegment {
  std::shared_ptr<ByteSource> source;
  std::uint64_t first_block_no;
};

// Those of a session, without those that `known` contains, the newest first. Each is a regular file of mode 0600 that
// begins with a later segment of this session, and belongs to this user and to the user of `trace`; for root, to that
// one. `trace_name`: the path of the trace, whose folder is the last one.
std::vector<RingSegment> segments_of_session(std::uint64_t session_id, const FileIdentity& trace,
                                             const std::string& trace_name, const ByteSource& known);

// True if a file at this path could be among them.
bool is_segment_of_session(const std::string& path, std::uint64_t session_id, const FileIdentity& trace);

}  // namespace evt
