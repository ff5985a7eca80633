#include "checkpoint_cache.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/core/src/trace/trace_data.h"

namespace evt {
namespace {

constexpr std::size_t kEnd = 4 << 10;  // the bytes at a trace's end of which the key has a checksum

std::int64_t changed_ns(const std::string& file) {
  struct stat facts;
  if (file.empty() || stat(file.c_str(), &facts) != 0) return 0;
  return facts.st_mtim.tv_sec * std::int64_t{1'000'000'000} + facts.st_mtim.tv_nsec;
}

std::string hex(const Session::Uuid& uuid) {
  std::string text;
  for (const auto byte : uuid) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

std::uint32_t checksum_of_end(const Trace& trace) {
  ByteSource& source = *TraceData::of(trace).source;
  std::array<std::byte, kEnd> end;
  const std::uint64_t from = source.size() - std::min<std::uint64_t>(source.size(), end.size());
  return crc32c(0, end.data(), source.read_at(from, end.data(), end.size()));
}

}  // namespace

std::string CheckpointCache::path_of(const Trace& trace, const std::string& trace_file) const {
  const std::string uuid = trace.sessions().empty() ? "" : hex(trace.sessions().front().uuid);
  return fmt::format("{}/{}-{:x}-{:x}-{:08x}{}", folder_.path(), uuid, trace.size(), changed_ns(trace_file),
                     checksum_of_end(trace), kSuffix);
}

}  // namespace evt
