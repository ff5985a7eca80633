// Files that were made to hurt: by work, by memory, by sizes that are claimed. They end, and take no more than they are
// worth (FORMAT.md, section 11).
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "raw_trace.h"

#if defined(__SANITIZE_ADDRESS__)
#define EVT_UNDER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EVT_UNDER_ASAN 1
#endif
#endif

namespace {

// Bytes that are allocated, and the most that were at a time.
std::atomic<std::size_t> in_use{0};
std::atomic<std::size_t> most{0};

#ifndef EVT_UNDER_ASAN
void* count(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const std::size_t now = in_use += malloc_usable_size(memory);
  if (now > most) most = now;
  return memory;
}

void discount(void* memory) {
  in_use -= malloc_usable_size(memory);
  std::free(memory);
}
#endif

}  // namespace

#ifndef EVT_UNDER_ASAN
void* operator new(std::size_t size) { return count(std::malloc(size)); }
void* operator new[](std::size_t size) { return count(std::malloc(size)); }
void operator delete(void* memory) noexcept { discount(memory); }
void operator delete[](void* memory) noexcept { discount(memory); }
void operator delete(void* memory, std::size_t) noexcept { discount(memory); }
void operator delete[](void* memory, std::size_t) noexcept { discount(memory); }
#endif

namespace evt::testing {
namespace {

constexpr std::size_t kMegabyte = 1 << 20;

struct Cost {
  std::size_t to_open = 0;
  std::size_t in_all = 0;
  std::uint64_t events = 0;
  std::uint64_t bytes_read = 0;
  std::string status;
};

// Opens the bytes and reads all events; the memory that this took at most.
Cost cost_of(const std::string& bytes) {
  Cost cost;
  const std::size_t before = in_use;
  most = before;
  auto trace = Trace::from_memory(as_bytes(bytes));
  cost.to_open = most - before;
  if (trace.ok()) {
    EventOptions options;
    options.markers = true;
    Events events = trace->events(options);
    while (events.next() != nullptr) ++cost.events;
    cost.bytes_read = trace->bytes_read();
  }
  cost.in_all = most - before;
  cost.status = code_of(trace.ok() ? trace->status() : trace.status());
  return cost;
}

// A header whose checksum is right, as often as it takes to fill 4 MiB.
template <typename Change>
std::string headers(std::size_t size, Change change) {
  std::string bytes;
  bytes.reserve(4 * kMegabyte + size);
  std::string header(size, '\0');
  for (std::uint64_t i = 0; bytes.size() < 4 * kMegabyte; ++i) {
    BlockHeader h;
    EventsHeader e;
    h.header_size = static_cast<std::uint16_t>(size);
    h.type = size == 48 ? EVT_BLOCK_SESSION : EVT_BLOCK_EVENTS;
    h.session_id = 1;
    h.block_no = i;
    change(i, h, e);
    store_block_header(h, raw_bytes(header));
    if (size >= EVT_EVENTS_HEADER_SIZE) store_events_header(e, raw_bytes(header));
    seal_header(raw_bytes(header), size);
    bytes += header;
  }
  return bytes;
}

TEST(Hostile, FileOfOneKilobyteCannotClaimMemory) {
  RawTrace trace = RawTrace().session().clock({.id = 1, .hz = 1'000'000'000}).events(1, Rows().tick(1, 1));
  trace.header([](BlockHeader& h) { h.payload_size = h.raw_size = EVT_MAX_EVENTS_PAYLOAD; });
  trace.events_header([](EventsHeader& e) { e.rows_size = EVT_MAX_EVENTS_PAYLOAD, e.row_count = 1 << 21; });
  trace.block(EVT_BLOCK_TYPES, "types").header([](BlockHeader& h) {
    h.payload_size = h.raw_size = EVT_MAX_METADATA_PAYLOAD;
  });
  trace.events(2, Rows().raw(le32(1) + le16(1024) + le16(0) + le32(EVT_MAX_EVENT_ROW)));
  ASSERT_LT(trace.bytes().size(), 1024u);
  const Cost cost = cost_of(trace.bytes());
  EXPECT_EQ(cost.status, "damaged");
  EXPECT_EQ(cost.events, 0u);
  EXPECT_LT(cost.to_open, kMegabyte);
  EXPECT_LT(cost.in_all, 8 * kMegabyte) << "a window of rows, and nothing by claims";
}

TEST(Hostile, RecordsCannotClaimMemory) {
  RawTrace trace = ordinary_trace();
  trace.block(EVT_BLOCK_STRINGS, le32(0xFFFFFFFF) + le32(1) + le32(0xFFFFFFFF));
  trace.block(EVT_BLOCK_TYPES, le32(0xFFFFFFFF) + le32(0xFFFFFFFF) + std::string(16, '\xFF'));
  trace.block(EVT_BLOCK_STREAMS, le32(0xFFFFFFFF) + le32(0xFFFFFFFF) + le32(7));
  EXPECT_LT(cost_of(trace.bytes()).to_open, kMegabyte);
}

TEST(Hostile, HeadersThatClaimWhatIsNotThereEnd) {
  const Cost cost = cost_of(headers(48, [](std::uint64_t, BlockHeader& h, EventsHeader&) {
    h.payload_size = h.raw_size = EVT_MAX_METADATA_PAYLOAD;
  }));
  EXPECT_NE(cost.status, "ok");
  EXPECT_LT(cost.in_all, 64 * kMegabyte);
}

TEST(Hostile, HeadersWhosePayloadsMustBeCheckedEnd) {
  const Cost cost = cost_of(headers(48, [](std::uint64_t, BlockHeader& h, EventsHeader&) {
    h.payload_size = h.raw_size = 1'000'001;  // so that no header is at its end
  }));
  EXPECT_EQ(cost.status, "damaged");
  EXPECT_LT(cost.bytes_read, 64 * kMegabyte) << "not 80 GB: a million for each header";
  EXPECT_LT(cost.in_all, 64 * kMegabyte);
}

TEST(Hostile, HeadersOfManySizesEnd) {
  const Cost cost = cost_of(headers(1024, [](std::uint64_t i, BlockHeader& h, EventsHeader&) {
    h.type = 77;
    h.payload_size = h.raw_size = static_cast<std::uint32_t>(i * 997 % EVT_MAX_METADATA_PAYLOAD);
  }));
  EXPECT_NE(cost.status, "ok");
  EXPECT_LT(cost.bytes_read, 64 * kMegabyte);
  EXPECT_LT(cost.in_all, 8 * kMegabyte);
}

TEST(Hostile, SessionsWithoutEndTakeMemoryByTheirBytes) {
  const Cost cost = cost_of(headers(48, [](std::uint64_t i, BlockHeader& h, EventsHeader&) {
    h.session_id = i;
    h.block_no = 0;
  }));
  EXPECT_NE(cost.status, "ok");
  EXPECT_LT(cost.in_all, 64 * kMegabyte);
}

// Sessions of nothing but the smallest SESSION block that can be.
TEST(Hostile, SessionsOfTheirOwnBlockAloneTakeMemoryByTheirBytes) {
  RawTrace one = RawTrace().session();
  std::string bytes;
  while (bytes.size() < 4 * kMegabyte) {
    one.header([&](BlockHeader& h) { h.session_id = bytes.size(); });
    bytes += one.bytes();
  }
  EXPECT_LT(cost_of(bytes).in_all, 64 * kMegabyte);
}

TEST(Hostile, SessionsThatTakeTurnsEnd) {
  const Cost cost = cost_of(headers(48, [](std::uint64_t i, BlockHeader& h, EventsHeader&) {
    h.session_id = i % 2;
    h.block_no = i / 2;
    h.type = 77;
  }));
  EXPECT_NE(cost.status, "ok");
  EXPECT_LT(cost.bytes_read, 64 * kMegabyte);
  EXPECT_LT(cost.in_all, 16 * kMegabyte);
}

// No block comes where it was written, and none follows the one before it.
TEST(Hostile, BlocksFromTheLastToTheFirstEnd) {
  for (const std::uint64_t step : {1u, 2u}) {
    const Cost cost = cost_of(headers(48, [step](std::uint64_t i, BlockHeader& h, EventsHeader&) {
      h.block_no = 1'000'000 - step * i;
      h.type = 77;
    }));
    EXPECT_EQ(cost.status, "damaged") << step;
    EXPECT_LT(cost.bytes_read, 64 * kMegabyte) << step;
    EXPECT_LT(cost.in_all, 32 * kMegabyte) << step;
  }
}

TEST(Hostile, BlocksFromTheLastToTheFirstWhosePayloadsMustBeCheckedEnd) {
  const Cost cost = cost_of(headers(48, [](std::uint64_t i, BlockHeader& h, EventsHeader&) {
    h.block_no = 1'000'000 - i;
    h.payload_size = h.raw_size = 1'000'001;
  }));
  EXPECT_EQ(cost.status, "damaged");
  EXPECT_LT(cost.bytes_read, 64 * kMegabyte);
  EXPECT_LT(cost.in_all, 64 * kMegabyte);
}

TEST(Hostile, BlocksOfWhichEachSecondIsMissingTakeMemoryByTheirBytes) {
  const Cost cost = cost_of(headers(48, [](std::uint64_t i, BlockHeader& h, EventsHeader&) {
    h.block_no = i % 2 == 0 ? 2 * i : 1'000'000 - 2 * i;
    h.type = 77;
  }));
  EXPECT_EQ(cost.status, "damaged");
  EXPECT_LT(cost.bytes_read, 64 * kMegabyte);
  EXPECT_LT(cost.in_all, 64 * kMegabyte);
}

TEST(Hostile, StreamsWithoutEndTakeMemoryByTheirBytes) {
  RawTrace front = ordinary_trace();
  std::string bytes = front.bytes();
  const std::uint64_t id = evt_load_u64(bytes.data() + 24);
  bytes += headers(EVT_EVENTS_HEADER_SIZE, [id](std::uint64_t i, BlockHeader& h, EventsHeader& e) {
    h.session_id = id;
    h.block_no = 4 + i;
    e.stream_id = static_cast<std::uint32_t>(i);
    e.clock_id = 1;
  });
  EXPECT_LT(cost_of(bytes).in_all, 64 * kMegabyte);
}

// Each block is a run of its own, with a row at the same time as all others.
TEST(Hostile, JumpsWithoutEndAreRead) {
  RawTrace trace = ordinary_trace();
  constexpr std::uint64_t kMany = 10'000;
  for (std::uint64_t i = 0; i < kMany; ++i) {
    trace.events(1, Rows().time_base(kMany - i, EVT_TIME_BASE_JUMP).row(1, 1024, ""));
  }
  const Cost cost = cost_of(trace.trailer().bytes());
  EXPECT_EQ(cost.status, "ok");
  EXPECT_EQ(cost.events, 2 * kMany) << "a marker and an event each";
  EXPECT_LT(cost.in_all, 100 * kMegabyte);
}

TEST(Hostile, MagicsWithoutEndAreOneDamage) {
  std::string bytes = ordinary_trace().bytes();
  while (bytes.size() < 4 * kMegabyte) bytes.append(EVT_MAGIC, EVT_MAGIC_SIZE);
  const Cost cost = cost_of(bytes);
  EXPECT_EQ(cost.status, "damaged");
  EXPECT_LT(cost.in_all, 8 * kMegabyte);
}

TEST(Hostile, HeadersOfLaterGenerationsWithoutEndAreNewer) {
  std::string bytes = ordinary_trace().bytes();
  while (bytes.size() < 4 * kMegabyte)
    bytes += std::string(
        "\x89"
        "EVU\r\n\x1a\n",
        8);
  EXPECT_EQ(cost_of(bytes).status, "newer format");
}

TEST(Hostile, RowsOfNoBytesDoNotTakeForEver) {
  Rows rows;
  for (int i = 0; i < 100'000; ++i) rows.row(0, EVT_ROW_PADDING, "");
  const Cost cost = cost_of(ordinary_trace().events(1, rows).trailer().bytes());
  EXPECT_EQ(cost.events, 0u);
  EXPECT_EQ(cost.status, "ok");
}

}  // namespace
}  // namespace evt::testing
