#include "log_session.h"

#include <fmt/core.h>

#include <cstring>
#include <unordered_set>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/core/src/base/record_list.h"
#include "libtrace-read/edit/src/uuid_digest.h"

namespace evt::eventlog {
namespace {

constexpr std::size_t kFingerprint = 64 << 10;

std::string without_folder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

void add_session(const Session::Uuid& uuid, const LogFacts& facts, SessionMaker* out) {
  const std::string program = facts.arguments.empty() ? "" : without_folder(facts.arguments.front());
  std::vector<const char*> words;
  for (const std::string& word : facts.arguments) words.push_back(word.c_str());
  evt_session_info info = {};
  info.program = program.c_str();
  info.writer = facts.runtime.empty() ? "GHC" : facts.runtime.c_str();
  info.pid = facts.pid;
  info.command_line = words.data();
  info.command_line_count = static_cast<std::uint32_t>(words.size());
  info.start_utc_ns = facts.start_utc_ns;
  std::memcpy(info.uuid, uuid.data(), sizeof info.uuid);
  Buffer payload;
  append_session(payload, info, 0);
  out->add_metadata(EVT_BLOCK_SESSION, bytes_of(payload));

  payload.clear();
  ClockRecord clock;
  clock.id = 1;
  clock.hz = 1'000'000'000;
  append_clock(payload, clock, info);
  out->add_metadata(EVT_BLOCK_CLOCK, bytes_of(payload));
}

}  // namespace

Session::Uuid uuid_of(ByteSource& log, const Dictionary& types) {
  std::vector<std::byte> front(kFingerprint);
  front.resize(log.read_at(types.data_offset(), front.data(), front.size()));
  UuidDigest digest;
  digest.add(std::uint64_t{types.checksum()});
  digest.add(log.size());
  digest.add(std::uint64_t{crc32c(0, front.data(), front.size())});
  return digest.uuid();
}

void add_metadata(const Session::Uuid& uuid, const Dictionary& types, const LogScan& scan, SessionMaker* out) {
  add_session(uuid, scan.facts(), out);
  RecordList records;
  // A log declares all types that its runtime system has; those without events would be a third of a small trace.
  std::unordered_set<std::uint64_t> used;
  for (const Part& part : scan.parts()) {
    for (const TypeCount& type : part.counts) used.insert(type.number);
  }
  for (const auto& type : types.types()) {
    const std::uint32_t number = type->number();
    if (!used.contains(number > UINT16_MAX ? std::uint32_t{EVT_ROW_WIDE} : number)) continue;
    type->append_record(records.next(), scan.facts().runtime);
  }
  records.put([&](Bytes payload) { out->add_metadata(EVT_BLOCK_TYPES, payload); });
  for (const std::uint32_t id : scan.streams()) {
    const std::string name = id == LogScan::stream_of(LogScan::kNoCap) ? "global" : fmt::format("cap {}", id - 2);
    evt_stream_info info = {};
    info.name = name.c_str();
    info.id = id;
    append_stream_record(records.next(), info);
  }
  records.put([&](Bytes payload) { out->add_metadata(EVT_BLOCK_STREAMS, payload); });
}

}  // namespace evt::eventlog
