// Rows, written and read (FORMAT.md, section 7.1). What a row must look like is in support/rows.h.
#include <gtest/gtest.h>

#include <random>

#include "format-spec/src/row/row_reader.h"
#include "format-spec/src/row/row_writer.h"
#include "support/rows.h"

namespace evt::testing {
namespace {

Bytes bytes_of(std::string_view text) { return {reinterpret_cast<const std::byte*>(text.data()), text.size()}; }
// What RowWriter makes of one row.
template <typename Write>
std::string written(std::size_t size, Write write) {
  std::string bytes(size, '?');
  RowWriter writer(reinterpret_cast<std::uint8_t*>(bytes.data()));
  write(writer);
  EXPECT_EQ(writer.at(), reinterpret_cast<std::uint8_t*>(bytes.data()) + size);
  return bytes;
}

std::string written_event(std::uint32_t delta, std::uint32_t number, std::string_view fields) {
  return written(RowWriter::size_of_event(number, fields.size()), [&](RowWriter& writer) {
    std::copy(fields.begin(), fields.end(), writer.event(delta, number, fields.size()));
  });
}

std::string written_in_two_steps(std::uint32_t delta, std::uint32_t number, std::string_view fields) {
  std::string bytes(RowWriter::kMaxEventFront + fields.size(), '?');
  RowWriter writer(reinterpret_cast<std::uint8_t*>(bytes.data()));
  std::uint8_t* const to = writer.begin_event(number);
  writer.end_event(delta, number, std::copy(fields.begin(), fields.end(), to));
  bytes.resize(static_cast<std::size_t>(writer.at() - reinterpret_cast<std::uint8_t*>(bytes.data())));
  return bytes;
}

std::string event(std::uint32_t delta, std::uint32_t number, const std::string& fields) {
  const bool is_wide = number > 0xFFFF;
  const std::string payload = is_wide ? le32(number) + fields : fields;
  const std::uint16_t type = is_wide ? std::uint16_t{EVT_ROW_WIDE} : static_cast<std::uint16_t>(number);
  return payload.size() + 8 > 0xFFFF ? Rows().big_row(delta, type, payload).bytes()
                                     : Rows().row(delta, type, payload).bytes();
}

TEST(RowWriter, WritesEventsOfEachWidthAndSize) {
  for (const std::uint32_t number : {1U, 1024U, 0xFEFFU, 0x10000U, UINT32_MAX}) {
    for (const std::size_t size : {0UL, 1UL, 8UL, 65522UL, 65523UL, 65524UL, 65527UL, 65528UL, 70000UL}) {
      const std::string fields(size, 'f');
      EXPECT_TRUE(written_event(7, number, fields) == event(7, number, fields)) << number << ", " << size << " bytes";
      EXPECT_TRUE(written_in_two_steps(7, number, fields) == event(7, number, fields))
          << number << ", " << size << " bytes";
    }
  }
}

TEST(RowWriter, WritesTimeBasesAndLosses) {
  EXPECT_EQ(
      written(RowWriter::kTimeBaseSize, [](RowWriter& writer) { writer.time_base(5'000'000'000, EVT_TIME_BASE_JUMP); }),
      Rows().time_base(5'000'000'000, EVT_TIME_BASE_JUMP).bytes());
  EXPECT_EQ(written(RowWriter::kLostSize, [](RowWriter& writer) { writer.lost(9, EVT_LOST_SINK, 1ULL << 40, 5); }),
            Rows().lost(9, 1ULL << 40, EVT_LOST_SINK, 5).bytes());
}

TEST(RowWriter, GivesARowAnotherNumberOfItsWidth) {
  for (const std::string& fields : {std::string("fields"), std::string(70000, 'f')}) {
    for (const auto& [before, after] : {std::pair(1024U, 0xFEFFU), std::pair(0x10000U, UINT32_MAX)}) {
      std::string row = event(3, before, fields);
      RowWriter::set_number(reinterpret_cast<std::uint8_t*>(row.data()), after);
      EXPECT_TRUE(row == event(3, after, fields)) << before << " to " << after;
    }
  }
}

TEST(RowFront, IsTheHeaderOfRowsOfOneTypeAndSize) {
  const std::string small = event(77, 1024, "12345678");
  const std::string large = Rows().big_row(77, 1024, "12345678").bytes();  // as small a row may have the large header
  std::string bytes = "........12345678";
  RowFront(1024, small.size(), false).write(reinterpret_cast<std::uint8_t*>(bytes.data()), 77);
  EXPECT_EQ(bytes, small);
  bytes = "............12345678";
  RowFront(1024, large.size(), true).write(reinterpret_cast<std::uint8_t*>(bytes.data()), 77);
  EXPECT_EQ(bytes, large);
}

TEST(RowReader, FindsEachRowWithItsTime) {
  const std::string rows = Rows()
                               .tick(1, 10)
                               .time_base(1000)
                               .wide(2, 0x12345, "wide")
                               .lost(3, 5, EVT_LOST_RING_FULL)
                               .big_row(4, 1025, "large")
                               .row(5, EVT_ROW_PADDING, "")
                               .bytes();
  RowReader reader(bytes_of(rows), 100);
  const RowView* row = reader.next();
  EXPECT_TRUE(row->is_event() && row->number() == 1024 && row->ticks == 101 && chars_of(row->fields()) == le64(10));
  row = reader.next();
  EXPECT_TRUE(row->is_time_base() && !row->is_jump() && !row->is_event() && row->base == 1000);
  row = reader.next();
  EXPECT_TRUE(row->is_event() && row->is_wide() && row->number() == 0x12345 && row->ticks == 1002);
  EXPECT_EQ(chars_of(row->fields()), "wide");
  row = reader.next();
  EXPECT_TRUE(row->is_lost() && !row->is_event() && row->lost_count() == 5 && row->lost_cause() == EVT_LOST_RING_FULL);
  row = reader.next();
  EXPECT_TRUE(row->is_large && row->number() == 1025 && row->bytes.size() == 17);
  EXPECT_EQ(chars_of(row->payload), "large");
  row = reader.next();
  EXPECT_TRUE(!row->is_event() && row->payload.empty() && row->ticks == 1005);
  EXPECT_EQ(reader.next(), nullptr);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.base(), 1000U);
}

TEST(RowReader, EndsWhereTheBytesAreNoRow) {
  const std::string good = Rows().tick(1, 1).bytes();
  for (const std::string& bad : {
           std::string("1234567"),                              // shorter than a header
           le32(0) + le16(1024) + le16(7) + "payload",          // a size below the header's
           le32(0) + le16(1024) + le16(17) + "payload!",        // more than there is
           le32(0) + le16(1024) + le16(0) + "123",              // ends inside the large header
           le32(0) + le16(1024) + le16(0) + le32(11) + "1234",  // a large size below the large header's
           le32(0) + le16(1024) + le16(0) + le32(UINT32_MAX),   // and one beyond the end
       }) {
    const std::string rows = good + bad;
    RowReader reader(bytes_of(rows), 0);
    EXPECT_NE(reader.next(), nullptr);
    EXPECT_EQ(reader.next(), nullptr);
    EXPECT_FALSE(reader.at_end());
    EXPECT_EQ(reader.left(), bad.size());
  }
}

TEST(RowReader, TakesReservedRowsThatAreTooShortForWhatTheyAre) {
  const std::string rows = Rows()
                               .row(1, EVT_ROW_TIME_BASE, "11 bytes...")
                               .row(1, EVT_ROW_LOST, "17 bytes.........")
                               .row(1, EVT_ROW_WIDE, "123")
                               .bytes();
  RowReader reader(bytes_of(rows), 50);
  EXPECT_FALSE(reader.next()->is_time_base());
  EXPECT_FALSE(reader.next()->is_lost());
  const RowView* const wide = reader.next();
  EXPECT_FALSE(wide->is_wide() || wide->is_event());
  EXPECT_EQ(wide->ticks, 51U);
}

TEST(RowReader, KnowsAJumpAtTheFrontOfABlock) {
  EXPECT_TRUE(begins_with_jump(bytes_of(Rows().time_base(5, EVT_TIME_BASE_JUMP).tick(1, 1).bytes())));
  EXPECT_FALSE(begins_with_jump(bytes_of(Rows().time_base(5).tick(1, 1).bytes())));
  EXPECT_FALSE(begins_with_jump(bytes_of(Rows().tick(1, 1).time_base(5, EVT_TIME_BASE_JUMP).bytes())));
  EXPECT_FALSE(begins_with_jump({}));
}

// Any rows, read and written again, are the same bytes.
TEST(RowReader, GivesRowWriterAllThatItNeeds) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Rows rows;
    for (auto i = random() % 20; i > 0; --i) {
      const auto delta = static_cast<std::uint32_t>(random());
      const std::string payload(random() % 40, static_cast<char>(random()));
      switch (random() % 4) {
        case 0:
          rows.time_base(random(), static_cast<std::uint32_t>(random() % 2));
          break;
        case 1:
          rows.lost(delta, random(), static_cast<std::uint16_t>(random()));
          break;
        case 2:
          rows.wide(delta, static_cast<std::uint32_t>(0x10000 + random() % 1000), payload);
          break;
        default:
          rows.row(delta, static_cast<std::uint16_t>(random() % EVT_TYPE_FIRST_RESERVED), payload);
      }
    }
    std::string again;
    RowReader reader(bytes_of(rows.bytes()), 12345);
    while (const RowView* const row = reader.next()) {
      if (row->is_event()) {
        again += written_event(row->delta, row->number(), chars_of(row->fields()));
      } else if (row->is_lost()) {
        again += written(RowWriter::kLostSize, [&](RowWriter& writer) {
          writer.lost(row->delta, row->lost_cause(), row->lost_count(), row->lost_duration());
        });
      } else {
        again += written(RowWriter::kTimeBaseSize, [&](RowWriter& writer) {
          writer.time_base(row->base, evt_load_u32(row->payload.data() + 8));
        });
      }
    }
    EXPECT_TRUE(reader.at_end());
    EXPECT_TRUE(again == rows.bytes());
  }
}

}  // namespace
}  // namespace evt::testing
