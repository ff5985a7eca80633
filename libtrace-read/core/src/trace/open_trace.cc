#include <unistd.h>

#include <algorithm>
#include <new>

#include "libtrace-read/core/src/source/segment_files.h"
#include "opening.h"
#include "ring_segments.h"

namespace evt {
namespace {

struct SessionRing {
  std::uint64_t session_id;
  std::unique_ptr<RingFile> ring;
  bool is_of_file;       // or is the requested one; else the file is a copy, or another user's
  bool is_used = false;  // its contents follow the file's blocks
};

// Recovered or not: a recovery may have been interrupted, in which case the ring still exists.
bool may_have_ring(const Session& session) {
  return !session.closed && (session.ring_kind == EVT_RING_SHARED || !session.ring_name.empty());
}

// An anonymous session does not state the name, which contains the user's id; to that user it is not a secret.
std::string ring_name_of(const SessionData& data, const FileIdentity& file) {
  if (!data.session->ring_name.empty()) return data.session->ring_name;
  char name[ring::kMaxName];
  ring::name_of(data.id, name, ::geteuid() == 0 ? file.owner : ::geteuid());
  return name;
}

// Rows were not kept, or follow in another segment: these may be in the folders of rings.
bool may_have_segments(const Session& session) { return !session.closed && (session.goes_on || session.not_kept > 0); }

bool may_have_more(const TraceData& data) {
  return std::ranges::any_of(
      data.sessions, [](const Session& session) { return may_have_ring(session) || may_have_segments(session); });
}

std::unique_ptr<RingFile> find_ring(const SessionData& session, const TraceData& data, const FileIdentity& file) {
  const std::string wanted(data.options.ring);
  if (wanted.find('/') != std::string::npos) return RingFile::find_at(wanted, session.id, file);
  return RingFile::find(wanted.empty() ? ring_name_of(session, file) : wanted, session.id, data.source->name(), file);
}

std::vector<SessionRing> find_rings(const TraceData& data, const FileIdentity& file) {
  std::vector<SessionRing> rings;
  for (const SessionData& session : data.data) {
    if (!may_have_ring(*session.session)) continue;
    auto ring = find_ring(session, data, file);
    if (ring == nullptr) continue;
    const std::optional<FileIdentity> output = ring->output();
    bool is_of_file = !data.options.ring.empty() || (output && data.source->has(*output));
    // Without its rows the trace would look complete.
    if (is_of_file && !ring->recovery().take()) throw std::bad_alloc();
    // What it had for this file may be there no more.
    if (is_of_file && ring->live() && ring->recovery().has_changed_output()) is_of_file = false;
    if (!is_of_file || !data.options.lock_rings) ring->unlock();
    rings.push_back({session.id, std::move(ring), is_of_file});
  }
  return rings;
}

SessionData* find_session(TraceData& data, std::uint64_t id) {
  for (SessionData& session : data.data) {
    if (session.id == id) return &session;
  }
  return nullptr;
}

OrdinalRange lacking(void* of, std::uint32_t stream, std::uint64_t from) {
  const auto& session = *static_cast<const SessionData*>(of);
  const OrdinalRange gap = session.gaps.next(stream, from);
  if (gap.size() > 0) return gap;
  const auto found = session.streams.find(stream);
  const std::uint64_t next = found == session.streams.end() ? 0 : found->second.next_ordinal;
  return {std::max(from, next), UINT64_MAX};
}

// Before the rings' rows are taken: an unreadable block must not hide them.
void find_unreadable(std::vector<SessionRing>& rings, Opening& opening) {
  for (const SessionRing& found : rings) {
    SessionData* const session = found.is_of_file ? find_session(opening.data(), found.session_id) : nullptr;
    if (session != nullptr && !session->session->closed && !found.ring->live()) {
      opening.find_unreadable(*session, found.ring->recovery());
    }
  }
}

// If the file ends inside a block, its writer was killed there, or is running: the ring has the block's rows.
std::uint64_t end_of_blocks(const TraceData& data) {
  const Status& status = data.blocks.status();
  return status.code() == Code::kTruncated ? status.offset() : data.source->size();
}

// Appends what the rings have that the file lacks. Returns false if there is no ring to use.
bool append_blocks(std::vector<SessionRing>& rings, TraceData& data, bool is_followed, Buffer& blocks) {
  bool any = false;
  for (SessionRing& found : rings) {
    SessionData* const session = found.is_of_file ? find_session(data, found.session_id) : nullptr;
    if (session == nullptr || session->session->closed) continue;
    RingFile& ring = *found.ring;
    // Losses that no row records yet have one when they are read again, which must be new then.
    const RingRecovery::Unrecorded unrecorded =
        is_followed && ring.live() ? RingRecovery::Unrecorded::kLeftOut : RingRecovery::Unrecorded::kAppended;
    if (!ring.recovery().append_blocks(blocks, {&lacking, session}, ring.live(), unrecorded)) throw std::bad_alloc();
    any = found.is_used = true;
  }
  return any;
}

void note_ring(SessionRing& found, SessionData& data, const FileIdentity& file) {
  Session& session = *data.session;
  session.ring_name = ring_name_of(data, file);
  if (found.is_used) {
    session.ring = found.ring->live() ? RingState::kLive : RingState::kRecovered;
    session.ring_rows = found.ring->recovery().rows();
  } else if (!found.is_of_file && !session.closed && session.ring == RingState::kAway) {
    session.ring = RingState::kOther;
    session.ring_file = found.ring->trace();
  }
}

// The files that the bytes are, unless they are one.
struct Files {
  std::vector<Trace::File> files;
  std::vector<std::string> duplicates;
};

Files files_of(const ByteSource& source) {
  const SegmentFiles* const several = SegmentFiles::of(source);
  return several == nullptr ? Files() : Files{several->files(), several->duplicates()};
}

// A session of a file whose other segments are looked for.
struct Wanted {
  std::uint64_t id;
  std::uint64_t first_block_no;  // that the file has
  std::uint64_t next_block_no;
};

std::vector<Wanted> wanted_of(const TraceData& data) {
  std::vector<Wanted> wanted;
  for (const SessionData& session : data.data) {
    if (may_have_segments(*session.session)) {
      wanted.push_back({session.id, session.first_block_no, session.next_block_no});
    }
  }
  return wanted;
}

// Reads the segments that are there besides the files of `given`, and these.
void add_segments(const std::vector<Wanted>& wanted, ByteSource& given, std::optional<Opening>& opening,
                  const ReadOptions& options) {
  std::vector<std::shared_ptr<ByteSource>> more;
  for (const Wanted& session : wanted) {
    for (RingSegment& segment : segments_of_session(session.id, *given.identity(), given.name(), given)) {
      // A file into which segments were put has those that are still there.
      const bool is_in_file = SegmentFiles::of(given) == nullptr && segment.first_block_no >= session.first_block_no &&
                              segment.first_block_no < session.next_block_no;
      if (!is_in_file) more.push_back(std::move(segment.source));
    }
  }
  auto all = more.empty() ? nullptr : SegmentFiles::with(given.again(), more);
  if (all == nullptr) return;
  opening.emplace(std::move(all), options);
  opening->read();
}

// A writer began a segment after the folders were read.
bool is_behind(const std::vector<SessionRing>& rings, const FileIdentity& file) {
  return std::ranges::any_of(rings, [&](const SessionRing& found) {
    return !found.is_of_file && found.ring->live() &&
           is_segment_of_session(found.ring->output_path(), found.session_id, file);
  });
}

// Rings are copied before the size of the last file is taken, and after the names of all files. Looks at the folders
// anew each time: of those that were found before, later ones may be gone.
std::vector<SessionRing> find_segments_and_rings(std::optional<Opening>& opening, const ReadOptions& options,
                                                 bool adds_segments) {
  constexpr int kLooks = 20;
  const std::vector<Wanted> wanted = adds_segments ? wanted_of(opening->data()) : std::vector<Wanted>();
  const std::unique_ptr<ByteSource> given = wanted.empty() ? nullptr : opening->data().source->again();
  const FileIdentity file = *opening->data().source->identity();
  std::vector<SessionRing> rings;
  for (int i = 0; i < kLooks; ++i) {
    if (given != nullptr) add_segments(wanted, *given, opening, options);
    rings = find_rings(opening->data(), file);
    if (given == nullptr || !is_behind(rings, file)) break;
  }
  return rings;
}

std::unique_ptr<TraceData> open_with_rings(std::optional<Opening>& opening, const ReadOptions& options,
                                           const HandedOut* handed_out) {
  const FileIdentity file = *opening->data().source->identity();
  // Who follows a trace goes from file to file by itself.
  const bool adds_segments = !options.lock_rings && handed_out == nullptr;
  std::vector<SessionRing> rings = find_segments_and_rings(opening, options, adds_segments);
  // Rings were copied first: rows that a living writer moved from them meanwhile are in the file by now. And without a
  // ring, the session may have been closed since the file was read.
  auto again = opening->data().source->again();
  if (again != nullptr && again->size() != opening->data().source->size()) opening->extend(std::move(again));
  const Files files = files_of(*opening->data().source);
  find_unreadable(rings, *opening);
  Buffer blocks;
  Trace::Recovery recovery;
  if (append_blocks(rings, opening->data(), handed_out != nullptr, blocks)) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(blocks.data());
    recovery.blocks.assign(bytes, bytes + blocks.size());
    recovery.file_size = end_of_blocks(opening->data());
    // A session that a ring completes has no end: there is no index to read by.
    opening->extend(append_to(std::move(opening->data().source), recovery.file_size, recovery.blocks));
  }
  std::unique_ptr<TraceData> data = opening->finish();
  for (SessionRing& found : rings) {
    if (SessionData* const session = find_session(*data, found.session_id)) note_ring(found, *session, file);
    if (!found.is_used) continue;
    recovery.rings.push_back(found.ring->path());
    if (options.lock_rings) data->locked_rings.push_back(std::move(found.ring));
  }
  data->recovery = std::move(recovery);
  data->files = files.files;
  data->duplicates = files.duplicates;
  return data;
}

}  // namespace

std::unique_ptr<TraceData> open_trace(std::unique_ptr<ByteSource> source, const ReadOptions& options,
                                      const HandedOut* handed_out) {
  std::optional<Opening> opening(std::in_place, std::move(source), options, handed_out);
  opening->read();
  if (options.rings && opening->data().source->identity() && may_have_more(opening->data())) {
    return open_with_rings(opening, options, handed_out);
  }
  Files files = files_of(*opening->data().source);
  std::unique_ptr<TraceData> data = opening->finish();
  data->files = std::move(files.files);
  data->duplicates = std::move(files.duplicates);
  return data;
}

}  // namespace evt
