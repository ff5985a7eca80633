// Copies of a trace of 64 KiB with another byte at every place, cut to every length, or edited all over; and of one of
// 4 KiB with every bit another. With EVT_EVERY_BYTE, which ./dev damage sets, every place of the larger one is met,
// else a part of them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "known_trace.h"
#include "support/edits.h"
#include "support/sanitizer.h"

namespace evt::testing {
namespace {

const KnownTrace& large_one() {
  static const KnownTrace trace(64 << 10, 600);
  return trace;
}
const KnownTrace& small_one() {
  static const KnownTrace trace(4 << 10, 20);
  return trace;
}

// From one place to the next: primes, so that they meet all places within what repeats. A sanitizer takes ten times as
// long.
std::size_t stride(std::size_t usual, std::size_t with_sanitizer) {
  if (std::getenv("EVT_EVERY_BYTE") != nullptr) return 1;
  return kSanitizer ? with_sanitizer : usual;
}
std::size_t next_byte() { return stride(13, 61); }
std::size_t next_bit() { return stride(1, 11); }

// All that came was there, in its order, and nothing is different without a word.
KnownTrace::Fate expect_truth(const KnownTrace& whole, const std::string& copy, const std::string& what) {
  KnownTrace::Fate fate = whole.fate_of(copy);
  EXPECT_TRUE(fate.true_ones) << what << ": an event that was not there";
  EXPECT_TRUE(fate.in_order) << what;
  if (fate.said) return fate;
  Trace trace = open_trace(copy);
  EXPECT_EQ(text_of(trace), whole.text()) << what;
  return fate;
}

// One edit: at most the rows of one block are missing, and their number is reported.
void expect_one_block_at_most(const KnownTrace& whole, const std::string& copy, const std::string& what) {
  const KnownTrace::Fate fate = expect_truth(whole, copy, what);
  EXPECT_LE(fate.blocks.size(), 1u) << what;
  if (fate.exactly) {
    EXPECT_EQ(fate.came + fate.missing, whole.events()) << what;
  } else {
    EXPECT_LE(fate.came + fate.missing, whole.events()) << what;
  }
}

TEST(KnownTrace, HasItsSizeAndEveryEventAndIsWhole) {
  for (const KnownTrace* const whole : {&large_one(), &small_one()}) {
    EXPECT_EQ(whole->bytes().size(), whole == &large_one() ? 64u << 10 : 4u << 10);
    const KnownTrace::Fate fate = whole->fate_of(whole->bytes());
    EXPECT_EQ(fate.came, whole->events());
    EXPECT_EQ(fate.came, whole->events_within(SIZE_MAX));
    EXPECT_TRUE(fate.blocks.empty() && fate.in_order && fate.true_ones && fate.fronts && !fate.said);
  }
}

TEST(BrokenCopyOf64KiB, WithAnyByteChangedLacksOneBlockAtMost) {
  const KnownTrace& whole = large_one();
  std::string copy = whole.bytes();
  for (std::size_t at = 0; at < copy.size() && !::testing::Test::HasFailure(); at += next_byte()) {
    copy[at] = static_cast<char>(~copy[at]);
    expect_one_block_at_most(whole, copy, "byte " + std::to_string(at));
    copy[at] = static_cast<char>(~copy[at]);
  }
}

TEST(BrokenCopyOf4KiB, WithAnyBitChangedLacksOneBlockAtMost) {
  const KnownTrace& whole = small_one();
  std::string copy = whole.bytes();
  for (std::size_t bit = 0; bit < 8 * copy.size() && !::testing::Test::HasFailure(); bit += next_bit()) {
    const char before = copy[bit / 8];
    copy[bit / 8] = static_cast<char>(before ^ 1 << bit % 8);
    expect_one_block_at_most(whole, copy, "bit " + std::to_string(bit));
    copy[bit / 8] = before;
  }
}

TEST(BrokenCopyOf64KiB, ThatIsCutHasAllBlocksBeforeTheCut) {
  const KnownTrace& whole = large_one();
  for (std::size_t size = 0; size < whole.bytes().size() && !::testing::Test::HasFailure(); size += next_byte()) {
    const KnownTrace::Fate fate = whole.fate_of(std::string_view(whole.bytes()).substr(0, size));
    EXPECT_TRUE(fate.said) << "cut at " << size;
    EXPECT_TRUE(fate.true_ones && fate.in_order && fate.fronts) << "cut at " << size;
    EXPECT_GE(fate.came, whole.events_within(size)) << "cut at " << size;
  }
}

// Several edits at once: a byte is another, a range is gone, is something else or is there twice.
std::string edited(std::string bytes, std::mt19937& random) {
  const auto up_to = [&](std::size_t most) { return random() % most; };
  for (std::size_t edits = 2 + up_to(8); edits > 0; --edits) {
    const std::size_t at = up_to(bytes.size());
    const std::size_t size = 1 + up_to(300);
    const std::string part = bytes.substr(up_to(bytes.size()), size);
    const std::size_t which = up_to(kEdits + 1);
    if (which < kEdits) {
      edit(&bytes, which, at, size, part, random);
    } else {
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << up_to(8));
    }
  }
  return bytes;
}

TEST(BrokenCopyOf64KiB, WithManyEditsHasNoOtherEventsAndSaysSo) {
  const KnownTrace& whole = large_one();
  std::mt19937 random(20);
  for (int i = 0; i < 1000 && !::testing::Test::HasFailure(); ++i) {
    expect_truth(whole, edited(whole.bytes(), random), "copy " + std::to_string(i));
  }
}

}  // namespace
}  // namespace evt::testing
