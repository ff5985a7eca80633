// Columns from anywhere become rows or a reason why not; rows that become columns come back byte for byte.
#include <evt/format.h>
#include <evt/little_endian.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

#include "format-spec/src/columns/decoder.h"
#include "format-spec/src/columns/frame.h"
#include "fuzz_target.h"
#include "tests/support/row_sizes.h"

namespace {

constexpr std::size_t kMaxRows = 64 << 10;  // bytes; more of them are only slow

// Whether these bytes are exactly this many rows.
bool are_rows(const std::uint8_t* at, std::size_t left, std::uint32_t count) {
  for (; count > 0; --count) {
    if (left < evt::testing::kRowHeader) return false;
    std::size_t header = evt::testing::kRowHeader;
    std::size_t size = evt_load_u16(at + 6);
    if (size == 0) {
      header = evt::testing::kLargeRowHeader;
      size = left >= header ? evt_load_u32(at + evt::testing::kRowHeader) : 0;
    }
    if (size < header || size > left) return false;
    at += size;
    left -= size;
  }
  return left == 0;
}

std::uint32_t count_rows(const std::uint8_t* at, std::size_t left) {
  std::uint32_t count = 0;
  while (left >= evt::testing::kRowHeader) {
    std::size_t size = evt_load_u16(at + 6);
    if (size == 0 && left >= evt::testing::kLargeRowHeader) size = evt_load_u32(at + evt::testing::kRowHeader);
    if (size < evt::testing::kRowHeader || size > left) break;
    at += size;
    left -= size;
    ++count;
  }
  return count;
}

void decode(const std::uint8_t* data, std::size_t size) {
  if (size < 8) return;
  const std::uint32_t count = evt_load_u32(data) % (kMaxRows / evt::testing::kRowHeader);
  const std::size_t rows_size = evt_load_u32(data + 4) % kMaxRows;
  evt::columns::Decoder decoder;
  std::vector<std::uint8_t> rows(rows_size);
  const evt::Status status = decoder.decode(data + 8, size - 8, count, rows.data(), rows_size);
  FUZZ_CHECK(!status.ok() || are_rows(rows.data(), rows_size, count));
}

// The first bytes say what the types 0 to 3 look like.
void there_and_back(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kItems = 4;
  if (size < 4 * kItems) return;
  static evt::ColumnFrame frame;  // one for all blocks, as a writer has it; a new one is most of the time
  evt::columns::Encoder& encoder = frame.encoder();
  for (std::uint16_t type = 0; type < 4; ++type) {
    evt::columns::Item items[kItems];
    for (std::size_t i = 0; i < kItems; ++i) {
      const std::uint8_t said = data[type * kItems + i];
      items[i] = {static_cast<std::uint8_t>(said % 3), static_cast<std::uint16_t>(said / 3 % 10)};
    }
    encoder.set_items(type, items, data[type] / 64U + 1U);
  }
  const std::uint8_t* const rows = data + 4 * kItems;
  const std::size_t rows_size = size - 4 * kItems;
  const std::uint32_t count = count_rows(rows, rows_size);
  const bool made = encoder.encode(rows, rows_size, count);
  FUZZ_CHECK(made == are_rows(rows, rows_size, count));
  if (!made) return;
  const evt::Buffer& directory = encoder.directory();
  std::vector<std::uint8_t> columns(directory.data(), directory.data() + directory.size());
  columns.insert(columns.end(), encoder.data(), encoder.data() + encoder.data_size());
  std::vector<std::uint8_t> again(rows_size);
  evt::columns::Decoder decoder;
  FUZZ_CHECK(decoder.decode(columns.data(), columns.size(), count, again.data(), rows_size).ok());
  FUZZ_CHECK(std::equal(again.begin(), again.end(), rows));
  if (!frame.make(rows, rows_size, count)) return;  // it would not take less space
  std::vector<std::uint8_t> unpacked(frame.raw_size());
  FUZZ_CHECK(ZSTD_decompress(unpacked.data(), unpacked.size(), frame.bytes(), frame.size()) == unpacked.size());
  // Not the same columns: what the first time taught of a type holds for the second.
  std::fill(again.begin(), again.end(), 0);
  FUZZ_CHECK(decoder.decode(unpacked.data(), unpacked.size(), count, again.data(), rows_size).ok());
  FUZZ_CHECK(std::equal(again.begin(), again.end(), rows));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  data[0] % 2 == 0 ? decode(data + 1, size - 1) : there_and_back(data + 1, size - 1);
  return 0;
}
