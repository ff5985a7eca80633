#include "ring_segments.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include "format-spec/src/base/numbered_name.h"
#include "format-spec/src/block/block_header.h"
#include "format-spec/src/ring/ring_folders.h"
#include "format-spec/src/ring/ring_layout.h"
#include "libtrace-read/core/src/base/raw_bytes.h"
#include "private_file.h"

namespace evt {
namespace {

constexpr std::size_t kMost = 512;  // the newest: each is an open file

struct Numbered {
  std::uint64_t number;
  std::string path;
};

bool number_of(const std::string& name, std::uint64_t session_id, std::uint32_t user, std::uint64_t* number) {
  char front[ring::kMaxName];
  ring::segment_front_of(session_id, front, user);
  return number_in_name(name.c_str(), front, ring::kSegmentEnd, number);
}

// Where a later segment of the session begins with this block.
std::optional<std::uint64_t> first_block_of(ByteSource& source, std::uint64_t session_id) {
  std::byte front[EVT_BLOCK_HEADER_MAX];
  BlockHeader header;
  const std::size_t got = source.read_at(0, front, sizeof front);
  const bool is_one = load_block_header(raw(front), got, &header) == HeaderState::kGood &&
                      header.type == EVT_BLOCK_SESSION && header.session_id == session_id &&
                      (header.flags & EVT_FLAG_CONTINUED) != 0;
  return is_one ? std::optional(header.block_no) : std::nullopt;
}

std::vector<Numbered> names_in(const char* folder, std::uint64_t session_id, std::uint32_t user) {
  std::vector<Numbered> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::uint64_t number = 0;
    if (!number_of(entry->path().filename().string(), session_id, user, &number)) continue;
    found.push_back({number, entry->path().string()});
  }
  return found;
}

}  // namespace

// The oldest are deleted while this looks: of those that it finds from the newest on, none is missing in between.
std::vector<RingSegment> segments_of_session(std::uint64_t session_id, const FileIdentity& trace,
                                             const std::string& trace_name, const ByteSource& known) {
  std::vector<RingSegment> segments;
  std::vector<Numbered> names;
  for (const char* const folder : RingFolders(trace_name.c_str())) {
    for (Numbered& name : names_in(folder, session_id, trace.owner)) names.push_back(std::move(name));
  }
  std::ranges::sort(names, std::greater(), &Numbered::number);
  for (const Numbered& name : names) {
    if (segments.size() == kMost) break;
    struct stat facts;
    const auto fd = open_private_file(name.path, trace.owner, &facts);
    if (!fd) continue;
    std::shared_ptr<ByteSource> source = file_source(*fd, true, name.path, facts);
    if (facts.st_uid != trace.owner || known.has(*source->identity())) continue;
    if (const auto first = first_block_of(*source, session_id)) segments.push_back({std::move(source), *first});
  }
  return segments;
}

bool is_segment_of_session(const std::string& path, std::uint64_t session_id, const FileIdentity& trace) {
  std::uint64_t number = 0;
  return number_of(path.substr(path.rfind('/') + 1), session_id, trace.owner, &number);
}

}  // namespace evt
