// Block headers (FORMAT.md, sections 5 and 7).
#include "format-spec/src/block/block_header.h"

#include <evt/little_endian.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace evt {
namespace {

using Header = std::vector<std::uint8_t>;
using Sizes = std::vector<std::uint16_t>;

BlockHeader some_header(std::uint16_t header_size = EVT_BLOCK_HEADER_SIZE) {
  BlockHeader header;
  header.type = 0x0102;
  header.flags = 0x0304;
  header.header_size = header_size;
  header.codec = 0x05;
  header.must_understand = 0x06;
  header.payload_size = 0x07080910;
  header.raw_size = 0x11121314;
  header.session_id = 0x1516171819202122;
  header.block_no = 0x2324252627282930;
  header.payload_crc = 0x31323334;
  return header;
}

EventsHeader some_events() {
  EventsHeader events;
  events.stream_id = 0x01020304;
  events.layout = 0x05;
  events.clock_id = 0x0607;
  events.base_ticks = 0x0809101112131415;
  events.first_ticks = 0x1617181920212223;
  events.last_ticks = 0x2425262728293031;
  events.row_count = 0x32333435;
  events.rows_size = 0x36373839;
  events.rows_crc = 0x40414243;
  events.stream_seq = 0x44454647;
  events.first_ordinal = 0x4849505152535455;
  events.lost_total = 0x5657585960616263;
  events.bound_ticks = 0x6465666768697071;
  return events;
}

Header bytes_of_header(const BlockHeader& header) {
  Header bytes(header.header_size);
  store_block_header(header, bytes.data());
  seal_header(bytes.data(), bytes.size());
  return bytes;
}

Header events_bytes() {
  Header bytes = bytes_of_header(some_header(EVT_EVENTS_HEADER_SIZE));
  store_events_header(some_events(), bytes.data());
  seal_header(bytes.data(), bytes.size());
  return bytes;
}

HeaderState state_of(const Header& bytes) {
  BlockHeader header;
  return load_block_header(bytes.data(), bytes.size(), &header);
}

std::string hex(const std::uint8_t* bytes, std::size_t size) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    if (i > 0) text += i % 16 == 0 ? '\n' : ' ';
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

TEST(BlockHeader, HasItsFieldsWhereTheFormatSays) {
  Header bytes(EVT_BLOCK_HEADER_SIZE);
  store_block_header(some_header(), bytes.data());
  EXPECT_EQ(hex(bytes.data(), bytes.size()),
            "89 45 56 54 0d 0a 1a 0a 02 01 04 03 30 00 05 06\n"
            "10 09 08 07 14 13 12 11 22 21 20 19 18 17 16 15\n"
            "30 29 28 27 26 25 24 23 34 33 32 31 00 00 00 00");
}

TEST(BlockHeader, OfEventsHasItsFieldsWhereTheFormatSays) {
  const Header bytes = events_bytes();
  EXPECT_EQ(hex(bytes.data() + EVT_BLOCK_HEADER_SIZE, bytes.size() - EVT_BLOCK_HEADER_SIZE),
            "04 03 02 01 05 00 07 06 15 14 13 12 11 10 09 08\n"
            "23 22 21 20 19 18 17 16 31 30 29 28 27 26 25 24\n"
            "35 34 33 32 39 38 37 36 43 42 41 40 47 46 45 44\n"
            "55 54 53 52 51 50 49 48 63 62 61 60 59 58 57 56\n"
            "71 70 69 68 67 66 65 64");
}

TEST(BlockHeader, ComesBackAsItWasWritten) {
  const Header bytes = bytes_of_header(some_header());
  BlockHeader read;
  ASSERT_EQ(load_block_header(bytes.data(), bytes.size(), &read), HeaderState::kGood);
  EXPECT_EQ(bytes_of_header(read), bytes);
  EXPECT_EQ(read.type, 0x0102);
  EXPECT_EQ(read.flags, 0x0304);
  EXPECT_EQ(read.header_size, 48);
  EXPECT_EQ(read.codec, 0x05);
  EXPECT_EQ(read.must_understand, 0x06);
  EXPECT_EQ(read.payload_size, 0x07080910u);
  EXPECT_EQ(read.raw_size, 0x11121314u);
  EXPECT_EQ(read.session_id, 0x1516171819202122u);
  EXPECT_EQ(read.block_no, 0x2324252627282930u);
  EXPECT_EQ(read.payload_crc, 0x31323334u);
}

TEST(BlockHeader, OfEventsComesBackAsItWasWritten) {
  const EventsHeader read = load_events_header(events_bytes().data());
  EXPECT_EQ(read.stream_id, 0x01020304u);
  EXPECT_EQ(read.layout, 0x05);
  EXPECT_EQ(read.clock_id, 0x0607);
  EXPECT_EQ(read.base_ticks, 0x0809101112131415u);
  EXPECT_EQ(read.first_ticks, 0x1617181920212223u);
  EXPECT_EQ(read.last_ticks, 0x2425262728293031u);
  EXPECT_EQ(read.row_count, 0x32333435u);
  EXPECT_EQ(read.rows_size, 0x36373839u);
  EXPECT_EQ(read.rows_crc, 0x40414243u);
  EXPECT_EQ(read.stream_seq, 0x44454647u);
  EXPECT_EQ(read.first_ordinal, 0x4849505152535455u);
  EXPECT_EQ(read.lost_total, 0x5657585960616263u);
  EXPECT_EQ(read.bound_ticks, 0x6465666768697071u);
}

TEST(BlockHeader, ShowsEverySingleBitFlip) {
  for (const Header& good :
       {bytes_of_header(some_header()), events_bytes(), bytes_of_header(some_header(EVT_BLOCK_HEADER_MAX))}) {
    ASSERT_EQ(state_of(good), HeaderState::kGood);
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
      Header flipped = good;
      flipped[bit / 8] ^= static_cast<std::uint8_t>(1 << bit % 8);
      EXPECT_NE(state_of(flipped), HeaderState::kGood) << "bit " << bit << " of " << good.size() * 8;
    }
  }
}

TEST(BlockHeader, OfALaterVersionMayBeLongerAndIsReadAllTheSame) {
  for (std::uint16_t size = 48; size <= 1024; size = static_cast<std::uint16_t>(size + 8)) {
    Header bytes = bytes_of_header(some_header(size));
    for (std::size_t i = EVT_BLOCK_HEADER_SIZE; i < bytes.size(); ++i) bytes[i] = 0xAB;
    seal_header(bytes.data(), bytes.size());
    BlockHeader read;
    ASSERT_EQ(load_block_header(bytes.data(), bytes.size(), &read), HeaderState::kGood) << size;
    EXPECT_EQ(read.header_size, size);
    EXPECT_EQ(read.block_no, some_header().block_no);
  }
}

TEST(BlockHeader, IsNoneWithoutItsMagic) {
  for (std::size_t at = 0; at < EVT_MAGIC_SIZE; ++at) {
    if (at == EVT_MAGIC_GENERATION_AT) continue;
    Header bytes = bytes_of_header(some_header());
    bytes[at] = 'x';
    EXPECT_EQ(state_of(bytes), HeaderState::kNotABlock) << at;
  }
  EXPECT_EQ(state_of({}), HeaderState::kNotABlock);
  EXPECT_EQ(state_of({0x89, 'E', 'V', 'T', '\r', 'x', 0x1A}), HeaderState::kNotABlock);
}

TEST(BlockHeader, OfWhichAFewBytesAreThereIsShort) {
  EXPECT_EQ(state_of({0x89}), HeaderState::kShort);
  EXPECT_EQ(state_of({0x89, 'E', 'V', 'T', '\r', '\n', 0x1A}), HeaderState::kShort);
}

TEST(BlockHeader, OfAnotherGenerationIsNewerWhateverFollows) {
  const Header magic = {0x89, 'E', 'V', 'U', '\r', '\n', 0x1A, '\n'};
  EXPECT_EQ(state_of(magic), HeaderState::kNewer);
  Header bytes = bytes_of_header(some_header());
  for (unsigned generation = 0; generation < 256; ++generation) {
    bytes[EVT_MAGIC_GENERATION_AT] = static_cast<std::uint8_t>(generation);
    EXPECT_EQ(state_of(bytes), generation == 'T' ? HeaderState::kGood : HeaderState::kNewer) << generation;
  }
}

TEST(BlockHeader, ThatEndsTooEarlyIsShort) {
  for (const std::uint16_t size : Sizes{48, 120, 1024}) {
    const Header bytes = bytes_of_header(some_header(size));
    for (std::size_t cut = EVT_MAGIC_SIZE; cut < size; ++cut) {
      EXPECT_EQ(state_of(Header(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut))), HeaderState::kShort);
    }
  }
}

TEST(BlockHeader, HasASizeThatCanBe) {
  Header bytes(2048);
  store_block_header(some_header(), bytes.data());
  for (const std::uint16_t size : Sizes{0, 8, 40, 47, 49, 52, 1020, 1032, 0xFFF8, 0xFFFF}) {
    evt_store_u16(bytes.data() + 12, size);
    EXPECT_EQ(state_of(bytes), HeaderState::kBadSize) << size;
  }
}

TEST(BlockHeader, WithAWrongChecksumIsNotBelieved) {
  Header bytes = bytes_of_header(some_header());
  bytes[8] ^= 1;
  EXPECT_EQ(state_of(bytes), HeaderState::kBadChecksum);
  seal_header(bytes.data(), bytes.size());
  EXPECT_EQ(state_of(bytes), HeaderState::kGood);
}

TEST(BlockHeader, ThatIsNotGoodLeavesTheStructAlone) {
  BlockHeader untouched;
  untouched.type = 77;
  Header bytes = bytes_of_header(some_header());
  bytes[20] ^= 0x80;
  EXPECT_EQ(load_block_header(bytes.data(), bytes.size(), &untouched), HeaderState::kBadChecksum);
  EXPECT_EQ(untouched.type, 77);
  EXPECT_EQ(untouched.payload_size, 0u);
}

TEST(BlockHeader, IsReadFromTheFrontOfMoreBytes) {
  Header bytes = bytes_of_header(some_header());
  bytes.resize(5000, 0xEE);
  EXPECT_EQ(state_of(bytes), HeaderState::kGood);
}

TEST(Padding, LeadsToTheNextMultipleOfEight) {
  for (std::size_t size = 0; size < 100; ++size) {
    EXPECT_EQ((size + padding_after(size)) % 8, 0u);
    EXPECT_LT(padding_after(size), 8u);
  }
}

}  // namespace
}  // namespace evt
