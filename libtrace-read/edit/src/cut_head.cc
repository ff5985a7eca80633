#include "cut_head.h"

#include <evt/described_session.h>

#include <algorithm>

#include "libtrace-read/core/src/base/raw_bytes.h"
#include "uuid_digest.h"

namespace evt {
namespace {

void put_clocks(const SessionData& data, bool anonymous, TraceOutput& out) {
  for (const ClockInfo& clock : data.session->clocks) {
    evt_session_info of = {};
    of.host = clock.host.c_str();
    of.boot_id = clock.boot_id.c_str();
    of.anonymous = anonymous ? 1 : 0;
    Buffer payload;
    append_clock(
        payload,
        {clock.id, clock.kind, clock.hz, clock.start_ticks, clock.start_ns, clock.tolerance_ns, clock.hz_denominator},
        of);
    out.add_metadata(EVT_BLOCK_CLOCK, bytes_of(payload));
  }
  for (const SessionData::Sync& sync : data.syncs) {
    SyncRecord facts;
    facts.clock_id = sync.clock_id;
    facts.flags = sync.is_anchor ? 0 : EVT_SYNC_NO_ANCHOR;
    facts.uncertainty_ns = sync.uncertainty_ns;
    facts.ticks = sync.ticks;
    facts.ns = sync.ns;
    facts.utc_ns = sync.utc_ns;
    Buffer payload;
    append_sync(payload, facts);
    out.session().add(EVT_BLOCK_SYNC, bytes_of(payload));
  }
}

UuidDigest digest_of(const SessionData& data, const std::string& what) {
  const Session& session = *data.session;
  UuidDigest digest;
  digest.add(session.uuid);
  if (!session.declared) digest.add(data.id);  // it has no other
  digest.add(what);
  return digest;
}

}  // namespace

Session::Uuid cut_uuid(const SessionData& data, const std::string& what, const TimeRange& range) {
  const Session& session = *data.session;
  UuidDigest digest = digest_of(data, what);
  digest.add(session.rows);
  digest.add(static_cast<std::uint64_t>(range.from_ns));
  digest.add(static_cast<std::uint64_t>(range.to_ns));
  return digest.uuid();
}

Session::Uuid snapshot_uuid(const SessionData& data, std::uint64_t size) {
  const Session& session = *data.session;
  UuidDigest digest = digest_of(data, "snapshot");
  digest.add(session.rows);
  digest.add(session.not_kept);
  digest.add(session.lost);
  digest.add(static_cast<std::uint64_t>(session.last_ns));
  digest.add(size);
  return digest.uuid();
}

void put_head(const SessionData& data, const CutOptions& options, const SessionHead& head, const Session::Uuid& uuid,
              TraceOutput& out) {
  const Session& session = *data.session;
  std::vector<const char*> words;
  for (const std::string& word : session.command_line) words.push_back(word.c_str());
  std::vector<evt_merged_part> parts;
  for (const MergedPart& part : session.parts) parts.push_back(described_part(part));
  evt_session_info info = {};
  info.program = session.program.c_str();
  info.host = session.host.c_str();
  info.boot_id = session.boot_id.c_str();
  info.writer = options.writer.c_str();
  info.pid = session.pid;
  info.command_line = words.data();
  info.command_line_count = static_cast<std::uint32_t>(words.size());
  std::copy(uuid.begin(), uuid.end(), info.uuid);
  info.start_utc_ns = session.start_utc_ns;
  info.time_scale = session.time_scale;
  info.anonymous = options.anonymous ? 1 : 0;
  info.origins = session.uuid.data();
  info.origin_count = session.declared ? 1 : 0;
  info.parts = parts.data();
  info.part_count = static_cast<std::uint32_t>(parts.size());
  info.cut = head.cut.c_str();
  std::optional<DescribedLeftOut> described;
  if (head.left_out) described.emplace(*head.left_out);
  if (described) info.left_out = described->message();
  Buffer payload;
  append_session(payload, info, session.start_ns);
  out.add_metadata(EVT_BLOCK_SESSION, bytes_of(payload));
  if (head.segment != nullptr) out.session().add(EVT_BLOCK_SEGMENT, bytes_of(*head.segment));
  put_clocks(data, options.anonymous, out);
}

}  // namespace evt
