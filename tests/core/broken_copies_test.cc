// Every way to cut a trace short and to change one of its bits: what is read is right, or it is reported as wrong.
#include <gtest/gtest.h>

#include <map>

#include "raw_trace.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

// Two sessions with all kinds of blocks, metadata that is repeated, and padding of every length.
std::string small_trace() {
  RawTrace trace;
  for (std::uint8_t who = 0; who < 2; ++who) {
    trace.session(who).clock({.id = 1, .hz = 1'000'000'000});
    trace.declare("type 1024 tick (n u8)\nstream 1 \"a\"\nstream 2 \"b\"\nstring 1 \"main\"\n");
    trace.events(1, Rows().row(1, 1024, le8(1)).row(3, 1024, le8(2)));
    trace.events(2, Rows().row(2, 1024, le8(3)).lost(4, 5, EVT_LOST_SINK));
    SyncRecord sync;
    sync.clock_id = 1;
    sync.ticks = 10;
    sync.ns = 10;
    trace.sync(sync).session(who).clock({.id = 1, .hz = 1'000'000'000}).block(EVT_BLOCK_PRIVATE, "private");
    trace.events(1, Rows().time_base(5, EVT_TIME_BASE_JUMP).row(0, 1024, le8(4)))
        .events(2, Rows().tick(9, 5))
        .trailer();
  }
  return trace.bytes();
}

struct Outcome {
  std::string text;  // empty if it cannot be opened
  bool ok = false;
};

Outcome outcome_of(std::string_view bytes) {
  auto trace = Trace::from_memory(as_bytes(bytes));
  if (!trace) return {};
  std::string text = text_of(*trace);
  return {std::move(text), trace->status().ok()};
}

// The event lines of each session and stream, in order.
std::map<std::string, std::string> by_stream(std::string_view text) {
  std::map<std::string, std::string> streams;
  std::string session;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) + 1 - at);
    at += line.size();
    if (line.starts_with("session ")) session = line.substr(0, 30);
    if (line[0] >= '0' && line[0] <= '9') {
      const std::string_view rest = line.substr(line.find(' ') + 1);
      streams[session + std::string(rest.substr(0, rest.find(' ')))] += line;
    }
  }
  return streams;
}

TEST(BrokenCopy, OfTheTestIsWholeAtFirst) {
  const Outcome whole = outcome_of(small_trace());
  EXPECT_TRUE(whole.ok);
  EXPECT_EQ(by_stream(whole.text).size(), 4u);
}

TEST(BrokenCopy, ThatIsCutHasTheFrontOfEachStreamAndSaysSo) {
  const std::string bytes = small_trace();
  const auto whole = by_stream(outcome_of(bytes).text);
  const std::size_t one_session = bytes.size() / 2;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Outcome cut = outcome_of(std::string_view(bytes).substr(0, size));
    EXPECT_EQ(cut.ok, size == one_session) << "cut at " << size;
    for (const auto& [stream, lines] : by_stream(cut.text)) {
      ASSERT_TRUE(whole.contains(stream)) << "cut at " << size;
      EXPECT_TRUE(whole.at(stream).starts_with(lines)) << "cut at " << size << ", stream " << stream << "\n" << lines;
    }
  }
}

TEST(BrokenCopy, WithAnyBitChangedIsTheSameOrSaysSo) {
  const std::string bytes = small_trace();
  const std::string whole = outcome_of(bytes).text;
  for (std::size_t at = 0; at < bytes.size(); at += kEveryCase) {
    for (const int change : {0xFF, 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ change);
      const Outcome outcome = outcome_of(changed);
      EXPECT_TRUE(!outcome.ok || outcome.text == whole) << "byte " << at << " ^ " << change << "\n" << outcome.text;
    }
  }
}

TEST(BrokenCopy, WithOneByteGoneSaysSo) {
  const std::string bytes = small_trace();
  for (std::size_t at = 0; at < bytes.size(); at += kEveryCase) {
    std::string changed = bytes;
    changed.erase(at, 1);
    EXPECT_FALSE(outcome_of(changed).ok) << "byte " << at;
  }
}

TEST(BrokenCopy, WithOneByteMoreSaysSo) {
  const std::string bytes = small_trace();
  for (std::size_t at = 0; at <= bytes.size(); ++at) {
    std::string changed = bytes;
    changed.insert(at, 1, 'x');
    EXPECT_FALSE(outcome_of(changed).ok) << "byte " << at;
  }
}

// Whatever is wrong with one block, the events of all other blocks are there. (But for a later session whose first
// header is gone: that it begins there is not known before the repeat of its SESSION block.)
TEST(BrokenCopy, WithOneBlockDamagedHasAllOthers) {
  const RawTrace whole = RawTrace::of(small_trace());
  const auto streams = by_stream(outcome_of(whole.bytes()).text);
  for (std::size_t part = 0; part < whole.size(); ++part) {
    for (const bool header : {false, true}) {
      RawTrace damaged = whole;
      const std::uint16_t type = header_of(damaged.part(part)).type;
      header ? damaged.spoil_header(part) : damaged.spoil_payload(part);
      const Outcome outcome = outcome_of(damaged.bytes());
      EXPECT_EQ(outcome.ok, type == EVT_BLOCK_PRIVATE && !header) << part;
      if (type == EVT_BLOCK_EVENTS || type == EVT_BLOCK_TYPES) continue;  // which are missing then, or have no names
      if (type == EVT_BLOCK_SESSION && header && part > 0) continue;
      EXPECT_EQ(event_lines(outcome.text), event_lines(outcome_of(whole.bytes()).text)) << part;
    }
  }
}

}  // namespace
}  // namespace evt::testing
