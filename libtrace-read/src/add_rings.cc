// A trace whose writer was killed, or lives: the file, and behind it what the ring has that the file lacks.
#include <algorithm>

#include "ring_file.h"
#include "trace_data.h"

namespace evt {
namespace {

struct SessionRing {
  std::uint64_t session_id;
  std::unique_ptr<RingFile> ring;
};

// Recovered or not: a recovery may have been interrupted, and then the ring is still there.
bool may_have_ring(const Session& session) { return !session.closed && !session.ring_name.empty(); }

bool may_have_ring(const TraceData& data) {
  return std::any_of(data.sessions.begin(), data.sessions.end(),
                     [](const Session& session) { return may_have_ring(session); });
}

std::vector<SessionRing> find_rings(const TraceData& data) {
  std::vector<SessionRing> rings;
  for (const SessionData& session : data.data) {
    if (!may_have_ring(*session.session)) continue;
    if (auto ring = RingFile::find(session.session->ring_name, session.id)) {
      rings.push_back({session.id, std::move(ring)});
    }
  }
  return rings;
}

SessionData* find_session(TraceData& data, std::uint64_t id) {
  for (SessionData& session : data.data) {
    if (session.id == id) return &session;
  }
  return nullptr;
}

std::uint64_t next_ordinal(void* session, std::uint32_t stream) {
  const auto& streams = static_cast<const SessionData*>(session)->streams;
  const auto found = streams.find(stream);
  return found == streams.end() ? 0 : found->second.next_ordinal;
}

// A block in whose middle the file ends was being written by whoever was killed, or lives: its rows are in the ring.
std::uint64_t end_of_blocks(const TraceData& data) {
  const Status& status = data.blocks.status();
  return status.code() == Code::kCut ? status.offset() : data.source->size();
}

}  // namespace

std::unique_ptr<TraceData> add_rings(std::unique_ptr<TraceData> data, const Reopen& reopen) {
  if (!data->options.rings) return data;
  const std::vector<SessionRing> rings = find_rings(*data);
  // No ring: its writer may have closed the session, and removed it, since the file was read.
  const bool again_without = rings.empty() && reopen && may_have_ring(*data);
  if (rings.empty() && !again_without) return data;
  const ReadOptions options = data->options;
  // Rings were copied first: what a living writer moved from them meanwhile is in the file by now.
  if (reopen) {
    auto again = reopen();
    if (again) data = load(*std::move(again), options);
    if (rings.empty()) return data;
  }
  Trace::Recovery recovery;
  recovery.file_size = end_of_blocks(*data);
  std::vector<const SessionRing*> used;
  Buffer blocks;
  for (const SessionRing& found : rings) {
    SessionData* const session = find_session(*data, found.session_id);
    if (session == nullptr || session->session->closed) continue;
    if (!found.ring->recovery().append_blocks(blocks, {&next_ordinal, session}, found.ring->live())) continue;
    recovery.rings.push_back(found.ring->path());
    recovery.traces.push_back(found.ring->trace());
    used.push_back(&found);
  }
  if (used.empty()) return data;
  const auto* const bytes = reinterpret_cast<const std::byte*>(blocks.data());
  recovery.blocks.assign(bytes, bytes + blocks.size());
  // A ring ends no session: there is no index to read by.
  auto whole = load(append_to(std::move(data->source), recovery.file_size, recovery.blocks), options);
  for (const SessionRing* found : used) {
    SessionData* const session = find_session(*whole, found->session_id);
    if (session == nullptr) continue;
    session->session->ring = found->ring->live() ? RingState::kLive : RingState::kRecovered;
    session->session->ring_rows = found->ring->recovery().rows();
  }
  whole->recovery = std::move(recovery);
  return whole;
}

}  // namespace evt
