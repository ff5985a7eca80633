#include "log_session.h"

#include <evt/little_endian.h>
#include <fmt/format.h>

#include <cstring>
#include <unordered_set>

#include "../raw_bytes.h"
#include "format-spec/src/crc32c.h"

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
  out->add_metadata(EVT_BLOCK_SESSION, payload);

  payload.clear();
  ClockFacts clock;
  clock.id = 1;
  clock.hz = 1'000'000'000;
  append_clock(payload, clock, info);
  out->add_metadata(EVT_BLOCK_CLOCK, payload);
}

}  // namespace

Session::Uuid uuid_of(ByteSource& log, const Dictionary& types) {
  std::vector<std::byte> front(kFingerprint);
  front.resize(log.read_at(types.data_offset(), front.data(), front.size()));
  std::uint32_t words[4] = {types.checksum(), static_cast<std::uint32_t>(log.size()), 0, 0};
  words[2] = crc32c(words[0], front.data(), front.size());
  words[3] = crc32c(words[1], front.data(), front.size());
  Session::Uuid uuid{};
  for (std::size_t i = 0; i < 4; ++i) evt_store_u32(uuid.data() + 4 * i, words[i]);
  // RFC 4122: of a kind that is made as one likes.
  uuid[6] = static_cast<std::uint8_t>((uuid[6] & 0x0F) | 0x80);
  uuid[8] = static_cast<std::uint8_t>((uuid[8] & 0x3F) | 0x80);
  return uuid;
}

void add_metadata(const Session::Uuid& uuid, const Dictionary& types, const LogScan& scan, SessionMaker* out) {
  add_session(uuid, scan.facts(), out);
  Buffer payload;
  std::uint32_t count = 0;
  payload.append_u32(0);
  // A log declares all types that its runtime system has; those without events would be a third of a small trace.
  std::unordered_set<std::uint64_t> used;
  for (const Part& part : scan.parts()) {
    for (const TypeCount& type : part.counts) used.insert(type.number);
  }
  for (const auto& type : types.types()) {
    const std::uint32_t number = type->number();
    if (!used.contains(number > UINT16_MAX ? std::uint32_t{EVT_ROW_WIDE} : number)) continue;
    type->append_record(payload, scan.facts().runtime);
    ++count;
  }
  evt_store_u32(payload.data(), count);
  out->add_metadata(EVT_BLOCK_TYPES, payload);

  payload.clear();
  const std::vector<std::uint32_t> streams = scan.streams();
  payload.append_u32(static_cast<std::uint32_t>(streams.size()));
  for (const std::uint32_t id : streams) {
    const std::string name = id == LogScan::stream_of(LogScan::kNoCap) ? "global" : fmt::format("cap {}", id - 2);
    evt_stream_info info = {};
    info.name = name.c_str();
    info.id = id;
    append_stream_record(payload, info);
  }
  out->add_metadata(EVT_BLOCK_STREAMS, payload);
}

}  // namespace evt::eventlog
