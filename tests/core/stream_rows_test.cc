// Rows of all kinds, as a trace hands them out: what RowReader finds among the same bytes.
#include <gtest/gtest.h>

#include <random>

#include "format-spec/src/row/row_reader.h"
#include "raw_trace.h"

namespace evt::testing {
namespace {

std::string line_of(std::uint32_t number, std::uint64_t ticks, Bytes fields) {
  const std::string_view text(reinterpret_cast<const char*>(fields.data()), fields.size());
  return lines({std::to_string(number), " at ", std::to_string(ticks), ": ", std::string(text), "\n"});
}

std::string found_by_row_reader(std::string_view rows, std::uint64_t base) {
  std::string text;
  RowReader reader(as_bytes(rows), base);
  while (const RowView* const row = reader.next()) {
    if (row->is_event()) text += line_of(row->number(), row->ticks, row->fields());
  }
  return text;
}

std::string handed_out(const std::string& bytes) {
  std::string text;
  Trace trace = open_trace(bytes);
  Events events = trace.events();
  while (const Event* const event = events.next())
    text += line_of(event->type().number(), event->ticks(), event->payload());
  return text;
}

Rows random_rows(unsigned seed) {
  std::mt19937 random(seed);
  Rows rows;
  for (auto i = random() % 300; i > 0; --i) {
    const auto delta = static_cast<std::uint32_t>(random() % 1000);
    const std::string payload(random() % 40, static_cast<char>('a' + random() % 26));
    switch (random() % 12) {
      case 0:
        rows.time_base(random() % 100'000);
        break;
      case 1:
        rows.lost(delta, 1, EVT_LOST_SINK);
        break;
      case 2:
        rows.wide(delta, static_cast<std::uint32_t>(0x10000 + random() % 5), payload);
        break;
      case 3:
        rows.big_row(delta, static_cast<std::uint16_t>(2000 + random() % 5), payload);
        break;
      case 4:
        rows.row(delta, static_cast<std::uint16_t>(EVT_ROW_PADDING + random() % 3), payload);
        break;
      default:
        rows.row(delta, static_cast<std::uint16_t>(1500 + random() % 5), payload);
    }
  }
  return rows;
}

TEST(StreamRows, HandsOutTheRowsThatRowReaderFinds) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Rows rows = random_rows(seed);
    const std::string bytes = ordinary_trace().events(1, rows, 77).trailer().bytes();
    EXPECT_EQ(handed_out(bytes), found_by_row_reader(rows.bytes(), 77)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace evt::testing
