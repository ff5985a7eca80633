// Traces that are cut or damaged anywhere: what is left is read, nothing is made up, and it is reported.
#include <gtest/gtest.h>

#include <cctype>
#include <cstring>
#include <random>
#include <set>

#include "blocks.h"
#include "support/edits.h"
#include "support/text_trace.h"

namespace evt::testing {
namespace {

constexpr std::string_view kStory =
    "type 1024 sched.stop \"a thread stops\" (thread u32) (why text) (where interned) (state enum8 labels=[1=run "
    "2=wait])\n"
    "type 1025 tick\n"
    "stream 1 \"main\" thread=7\n"
    "string 1 \"here\"\n"
    "string 2 \"there\"\n"
    "0.000000001 1 sched.stop thread=1 why=\"page fault\" where=\"here\" state=run\n"
    "0.000000003 1 !jump\n"
    "0.000000002 1 sched.stop thread=1 why=\"b\" where=\"there\" state=wait\n"
    "0.000000004 1 !lost count=3 cause=ring_full duration=0.000000000\n"
    "stream 2 \"other\"\n"
    "5.000000002 2 tick\n"
    "9.000000002 2 tick\n"
    "15.000000002 2 type#77 +0x0102030405\n"
    "15.000000003 2 type#70000 +0x0102030405\n";

// What a tool would print of these bytes, and the exit status that it would give.
struct Reading {
  int status;
  std::string text;
  std::string sentence;
};

Reading read(std::string_view bytes) {
  auto trace = Trace::from_memory(as_bytes(bytes));
  if (!trace) return {3, "", trace.status().message()};
  std::string text = text_of(*trace);
  return {trace->status().ok() ? 0 : 1, std::move(text), trace->status().message()};
}

std::multiset<std::string> event_lines(std::string_view text) {
  std::multiset<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = text.substr(0, end);
    if (!line.empty() && std::isdigit(static_cast<unsigned char>(line.front())) != 0) lines.emplace(line);
    text.remove_prefix(end + 1);
  }
  return lines;
}

class Damaged : public ::testing::Test {
 protected:
  // Success only with all there was; no event twice, and none that was not there. Where the description of a type or a
  // string is lost, its number replaces it. Returns the exit status.
  int expect_truth(std::string_view bytes, const std::string& what) const {
    const Reading reading = read(bytes);
    EXPECT_TRUE(reading.status != 0 || reading.text == whole_.text) << what;
    EXPECT_TRUE(reading.status == 0 || !reading.sentence.empty()) << what;
    std::multiset<std::string> left = lines_;
    std::multiset<std::string> places = places_;
    for (const std::string& line : event_lines(reading.text)) {
      const auto same = left.find(line);
      const auto place = places.find(place_of(line));
      EXPECT_TRUE(place != places.end()) << what << ": " << line;
      EXPECT_TRUE(same != left.end() || line.find(" type#") != line.npos || line.find("=#") != line.npos)
          << what << ": " << line;
      if (same != left.end()) left.erase(same);
      if (place != places.end()) places.erase(place);
    }
    return reading.status;
  }
  // The time and the stream of an event line.
  static std::string place_of(const std::string& line) { return line.substr(0, line.find(' ', line.find(' ') + 1)); }
  static std::multiset<std::string> places_of(const std::multiset<std::string>& lines) {
    std::multiset<std::string> places;
    for (const std::string& line : lines) places.insert(place_of(line));
    return places;
  }

  const std::string trace_ = trace_from_text(kStory);
  const Reading whole_ = read(trace_);
  const std::multiset<std::string> lines_ = event_lines(whole_.text);
  const std::multiset<std::string> places_ = places_of(lines_);
};

TEST_F(Damaged, NotAtAllIsReadWithoutAWord) {
  EXPECT_EQ(whole_.status, 0) << whole_.sentence;
  EXPECT_EQ(lines_.size(), 8u);
}

TEST_F(Damaged, ByACutAtAnyByte) {
  for (std::size_t size = 0; size < trace_.size() && !HasFailure(); ++size) {
    const std::string what = "cut after " + std::to_string(size);
    EXPECT_NE(expect_truth(std::string_view(trace_).substr(0, size), what), 0) << what;
  }
}

TEST_F(Damaged, ByACutMoreIsLostTheEarlierItIs) {
  std::size_t most = 0;
  for (std::size_t size = 0; size < trace_.size(); ++size) {
    const std::size_t events = event_lines(read(std::string_view(trace_).substr(0, size)).text).size();
    EXPECT_GE(events, most) << "cut after " << size;
    most = events;
  }
  EXPECT_EQ(most, lines_.size());
}

TEST_F(Damaged, ByOneByteAnywhere) {
  for (const int flip : {0xFF, 0x01}) {
    for (std::size_t at = 0; at < trace_.size() && !HasFailure(); ++at) {
      std::string bytes = trace_;
      bytes[at] = static_cast<char>(bytes[at] ^ flip);
      const std::string what = "byte " + std::to_string(at) + " xor " + std::to_string(flip);
      EXPECT_EQ(expect_truth(bytes, what), 1) << what;
    }
  }
}

TEST_F(Damaged, ByAByteMoreOrLessAnywhere) {
  for (std::size_t at = 0; at < trace_.size() && !HasFailure(); ++at) {
    std::string less = trace_;
    expect_truth(less.erase(at, 1), "without byte " + std::to_string(at));
    std::string more = trace_;
    expect_truth(more.insert(at, 1, '\0'), "with a byte before " + std::to_string(at));
  }
}

TEST_F(Damaged, ByAHoleOfZerosAnywhere) {
  for (std::size_t at = 0; at < trace_.size() && !HasFailure(); at += 8) {
    for (const std::size_t size : {8u, 64u, 512u}) {
      std::string bytes = trace_;
      std::memset(bytes.data() + at, 0, std::min(size, bytes.size() - at));
      expect_truth(bytes, std::to_string(size) + " zeros at " + std::to_string(at));
    }
  }
}

// Ranges of random length go away, come twice, or become something else.
TEST_F(Damaged, AtRandom) {
  std::mt19937 random(7);
  const auto up_to = [&](std::size_t most) { return random() % most; };
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    std::string bytes = trace_;
    for (std::size_t changes = 1 + up_to(3); changes > 0 && !bytes.empty(); --changes) {
      const std::size_t at = up_to(4) == 0 ? up_to(bytes.size()) / 8 * 8 : up_to(bytes.size());
      const std::size_t size = 1 + up_to(200);
      const std::string part = bytes.substr(up_to(bytes.size()), size);
      edit(&bytes, up_to(kEdits), at, size, part, random);
    }
    expect_truth(bytes, "random change " + std::to_string(i));
  }
}

TEST_F(Damaged, ByTheLossOfAnyBlock) {
  const Blocks whole(trace_);
  for (std::size_t i = 0; i < whole.all.size(); ++i) {
    std::string bytes;
    for (std::size_t k = 0; k < whole.all.size(); ++k) bytes += k == i ? "" : whole.all[k].bytes;
    const std::string what = "without block " + std::to_string(i);
    EXPECT_EQ(expect_truth(bytes, what), 1) << what;
  }
}

// A writer that lies: all checksums are right, and the content is anything. What comes out is still harmless.
TEST_F(Damaged, BeforeTheChecksumsWereMade) {
  std::mt19937 random(3);
  for (int i = 0; i < 1500; ++i) {
    Blocks blocks(trace_);
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
      BlockBytes& block = blocks.all[random() % blocks.all.size()];
      const bool events = block.type() == EVT_BLOCK_EVENTS;
      const std::size_t front = events && random() % 3 == 0 ? std::size_t{EVT_BLOCK_HEADER_SIZE} : block.header_size();
      const std::size_t at = front + random() % (block.bytes.size() - front);
      const std::uint32_t anything = static_cast<std::uint32_t>(random());
      const std::uint32_t one_bit = static_cast<std::uint8_t>(block.bytes[at]) ^ 1u << anything % 8;
      const std::uint32_t choices[] = {anything >> 8, 0xFF, one_bit};
      block.bytes[at] = static_cast<char>(choices[anything % 3]);
      if (events) evt_store_u32(block.data() + 88, crc32c(0, block.payload(), block.payload_size()));
    }
    for (const char c : read(blocks.together()).text) {
      ASSERT_TRUE(c == '\n' || (c & 0x80) != 0 || std::isprint(static_cast<unsigned char>(c)) != 0) << "change " << i;
    }
  }
}

}  // namespace
}  // namespace evt::testing
