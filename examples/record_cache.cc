// A program that records what its cache does; the part between the marks is in docs/guide/record.md.
// [snippet: record]
#include <evt/writer.h>

#include <cstdio>
#include <set>

#include "cache_events.h"

int main() {
  auto writer = evt::Writer::open("cache.evt");
  if (!writer) return std::fprintf(stderr, "%s\n", writer.status().message().c_str()), 1;
  const auto types = writer->declare<CacheHit, CacheMiss>();
  evt::Stream stream = writer->stream("worker 0");
  std::set<std::uint64_t> cache;
  for (const std::uint64_t page : {7u, 8u, 7u, 9u, 8u}) {
    if (cache.insert(page).second) {
      stream.emit(types, CacheMiss{.page = page, .size = 4096});
    } else {
      stream.emit(types, CacheHit{.page = page});
    }
  }
  const evt::Status status = writer->close();
  if (!status.ok()) return std::fprintf(stderr, "%s\n", status.message().c_str()), 1;
}
// [end]
